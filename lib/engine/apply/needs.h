/*
 * needs.h - what needs values or objects that will not be (needs.c,
 * needs_values.c)
 */
#ifndef TFPIPE_ENGINE_APPLY_NEEDS_H
#define TFPIPE_ENGINE_APPLY_NEEDS_H

#include "engine/apply/apply_int.h"

/* Refuses changes that need what will not be there. */
int apply_check_needs(struct apply *ap);

#endif
