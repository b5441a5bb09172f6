/* validate_int.h - what the files of validation share */
#ifndef TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H
#define TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H

#include "engine/change/stop.h"
#include "engine/validate/validate.h"
#include "engine/run/run_int.h"
#include "engine/run/worker.h"
#include "config/check/refs.h"
#include "engine/run/conditions.h"
#include "graph/plan_graph.h"

struct validation {
	struct arena *arena;
	struct run *run;
	struct plan_graph *pg;
	struct graph_walk *walk;
	struct diags **diags; /* by node */
	struct arena scratch;
	struct stop_requests requests;
	bool stopped, finished;
};

/* One node.  Resources have a slot, for the sake of its memory; other nodes
 * have validation.scratch.  w.module is the one whose names the references
 * mean. */
struct visit {
	struct worker w; /* first: a visit is one */
	struct validation *v;
	uint32_t node;
	struct refs_place place;             /* the place of its references */
	struct run_scope scope;              /* of a resource's body */
	const struct provider_schema *types; /* resources: its provider's */
};
static inline struct visit *visit_of(struct worker *w)
{
	return (struct visit *)w;
}

/* Of a resource, an error on the way to what is unknown is left to the plan. */
void visit_repetition(struct visit *x, struct expression count,
		      struct expression for_each, bool module);

extern worker_step *const validate_resource[];

#endif
