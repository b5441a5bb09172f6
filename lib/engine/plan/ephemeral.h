/*
 * ephemeral.h - ephemeral resources that planning has opened
 */
#ifndef TFPIPE_ENGINE_PLAN_EPHEMERAL_H
#define TFPIPE_ENGINE_PLAN_EPHEMERAL_H

#include "engine/plan/plan_int.h"

/* Closes them, the last first; then the plan is finished. */
void plan_close_ephemerals(struct plan *p);

#endif
