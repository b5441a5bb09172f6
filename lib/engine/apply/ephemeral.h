/*
 * ephemeral.h - ephemeral resources, open while the run lasts
 */
#ifndef TFPIPE_ENGINE_APPLY_EPHEMERAL_H
#define TFPIPE_ENGINE_APPLY_EPHEMERAL_H

#include "engine/apply/apply_int.h"

void apply_ephemerals(struct apply *ap, uint32_t node);
void apply_close_ephemerals(struct apply *ap);

#endif
