/*
 * outputs.h - output values, while planning
 */
#ifndef TFPIPE_ENGINE_PLAN_OUTPUTS_H
#define TFPIPE_ENGINE_PLAN_OUTPUTS_H

#include "engine/plan/plan_int.h"

void plan_output(struct plan_work *w);
void plan_outputs_finish(struct plan *p);

#endif
