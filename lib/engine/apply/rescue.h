/*
 * rescue.h - a state that could not be saved
 */
#ifndef TFPIPE_ENGINE_APPLY_RESCUE_H
#define TFPIPE_ENGINE_APPLY_RESCUE_H

#include "engine/apply/apply_int.h"

/* Called at the end, when the state could not be saved and that was reported:
 * leaves the results of this run where users find them. */
void apply_rescue(struct apply *ap);

#endif
