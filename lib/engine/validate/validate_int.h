/* validate_int.h - what the files of validation share */
#ifndef TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H
#define TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H

#include "engine/change/stop.h"
#include "engine/validate/validate.h"
#include "engine/run/run_int.h"
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

struct visit { /* one node */
	struct validation *v;
	uint32_t node;
	struct run_module *m;
	struct arena *a; /* scratch: gone when the visit is done */
	struct run_slot *slot; /* resources: whose it is */
	struct diags ds;
	size_t waiting; /* provider calls */
	bool provider_failed;
};

void visit_done(struct visit *x);

/* Evaluates with unknown values, once its references are checked. Returns NULL
 * after errors. */
const struct value *visit_expression(struct visit *x, struct run_scope *s,
				     struct expression e);
/* A value whatever errors there are, unless references lead nowhere. */
const struct value *visit_body_value(struct visit *x, struct run_scope *s,
				     const struct body *b,
				     const struct schema_block *schema);
const struct value *visit_body(struct visit *x, struct run_scope *s,
			       const struct body *b,
			       const struct schema_block *schema,
			       struct str address);
void visit_repetition(struct visit *x, struct expression count,
		      struct expression for_each);

void validate_resource(void *visit);
void validate_provisioners(struct visit *x, struct run_scope *s,
			   const struct cfg_resource *c);
/* Import blocks that lead to c. */
void validate_imports(struct visit *x, const struct cfg_resource *c,
		      const struct resource_schema *schema);
/* Before the walk: are all that the configuration names there? */
int provisioners_exist(const struct config *c, struct diags *ds);

#endif
