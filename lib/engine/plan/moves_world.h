/*
 * moves_world.h - move statements, checked against what the walk met
 */
#ifndef TFPIPE_ENGINE_MOVES_WORLD_H
#define TFPIPE_ENGINE_MOVES_WORLD_H

#include "engine/plan/plan_int.h"

/* 0, or -1.  Errors of the move statements take the place of all that the walk
 * found, the diagnostics from before on: they are likely its cause. */
int moves_check(struct plan *p, struct diags_mark before);

#endif
