/*
 * work.h - a resource's node: its instances, each a job
 */
#ifndef TFPIPE_ENGINE_PLAN_WORK_H
#define TFPIPE_ENGINE_PLAN_WORK_H

#include "engine/plan/plan_int.h"

void plan_resource(struct plan_work *w);
void plan_state_resource(struct plan_work *w);

#endif
