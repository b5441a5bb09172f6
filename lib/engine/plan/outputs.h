/*
 * outputs.h - output values, while planning
 */
#ifndef TFPIPE_ENGINE_PLAN_OUTPUTS_H
#define TFPIPE_ENGINE_PLAN_OUTPUTS_H

#include "engine/plan/plan_int.h"

void plan_output(struct plan_work *w);
void plan_outputs_finish(struct plan *p);

/* The output as it would be now: without a value if that is null.  false: it
 * stays as it was, because nobody declares it any more or knows its value. */
bool plan_output_now(const struct plan *p, const struct output_change *c,
		     struct state_output *out);

#endif
