/*
 * needs_values.h - changes that would not be what was planned without those
 * that were taken out of the plan
 */
#ifndef TFPIPE_ENGINE_NEEDS_VALUES_H
#define TFPIPE_ENGINE_NEEDS_VALUES_H

#include "engine/apply/apply_int.h"

int apply_check_values(struct apply *ap);

#endif
