/*
 * destroy.h - forgetting
 */
#ifndef TFPIPE_ENGINE_APPLY_DESTROY_H
#define TFPIPE_ENGINE_APPLY_DESTROY_H

#include "engine/apply/apply_int.h"

void apply_forget(struct apply *ap, uint32_t node);

#endif
