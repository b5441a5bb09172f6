/* validate_int.h - what the files of validation share */
#ifndef TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H
#define TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H

#include "engine/change/stop.h"
#include "engine/validate/validate.h"
#include "engine/run/run_int.h"
#include "engine/run/worker.h"
#include "config/refs.h"
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
	struct refs_place place; /* where its references stand */
	struct run_scope scope;  /* of a resource's body */
	const struct provider_schema *types; /* resources: its provider's */
};
static inline struct visit *visit_of(struct worker *w)
{
	return (struct visit *)w;
}

/* What is named is there, and what follows it in its schema.  Returns 0 or bits
 * of config/refs.h; every expression is evaluated after this. */
unsigned visit_references(struct visit *x, const struct traversal_vec *refs);
int visit_local(struct visit *x, const struct cfg_local *l);
void visit_provider_references(struct visit *x,
			       const struct plan_provider *p);
void visit_depends_on(struct visit *x, const struct traversal_vec *v);
/* How conditions have their references checked. */
struct condition_use visit_conditions(struct visit *x,
				      enum condition_kind kind);

/* Evaluates with unknown values. Returns NULL after errors. */
const struct value *visit_expression(struct visit *x, struct run_scope *s,
				     struct expression e);
/* The same, but what else is wrong with it is told as well. */
void visit_rule(struct visit *x, struct run_scope *s, struct expression e);
/* A value whatever errors there are, unless references of the body lead
 * nowhere. */
const struct value *visit_body_value(struct visit *x, struct run_scope *s,
				     const struct body *b,
				     const struct schema_block *schema);
const struct value *visit_body(struct visit *x, struct run_scope *s,
			       const struct body *b,
			       const struct schema_block *schema,
			       struct str address);
/* Of a resource, an error on the way to what is unknown is left to the plan. */
void visit_repetition(struct visit *x, struct expression count,
		      struct expression for_each, bool module);

extern worker_step *const validate_resource[];
/* Returns -1 where there are errors and a provisioner: the first is the last
 * that is looked at then. */
int validate_provisioners(struct visit *x, struct run_scope *s,
			  const struct cfg_resource *c);
/* Import blocks that lead to c. */
void validate_imports(struct visit *x, const struct cfg_resource *c,
		      const struct resource_schema *schema);
/* Before the walk: are all that the configuration names there? */
int provisioners_exist(const struct config *c, struct diags *ds);

#endif
