/* worker_config.h - what a worker evaluates: body, provider_meta, conditions */
#ifndef TFPIPE_ENGINE_WORKER_CONFIG_H
#define TFPIPE_ENGINE_WORKER_CONFIG_H

#include "engine/run/worker.h"

/* The scope of the instance. */
void worker_scope(const struct worker *w, struct run_scope *s);
/* The block's value, as the configuration has it; NULL: failed, reported now or
 * before. */
const struct value *worker_body(struct worker *w);
/* Reports what of that value is ephemeral where it would be kept: planning, and
 * again when all is known, for an unknown value may have lost the mark. */
int worker_refuse_ephemeral(struct worker *w, const struct value *v);
/* The conditions of the block.  -1: errors.  *failed (may be NULL): something
 * that they use had failed before. */
int worker_conditions(struct worker *w, enum condition_kind kind,
		      const struct value *self, bool *failed);
/* Plans the object with the provider (object_plan.h): begins w->plan with what
 * the worker knows, the object as it is, and whether it is to be replaced in
 * any case: for this reason, or because -replace names it. */
void worker_plan(struct worker *w, const struct resource_object *object,
		 bool forced, bool cbd);

#endif
