/*
 * rescue.h - a state that could not be saved
 */
#ifndef TFPIPE_ENGINE_APPLY_RESCUE_H
#define TFPIPE_ENGINE_APPLY_RESCUE_H

#include "engine/apply/apply_int.h"

/* At the end, when the state could not be saved and that was reported: what
 * this run did goes where somebody finds it. */
void apply_rescue(struct apply *ap);

#endif
