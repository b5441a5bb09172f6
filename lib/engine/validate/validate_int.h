/* validate_int.h - what the files of validation share */
#ifndef TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H
#define TFPIPE_ENGINE_VALIDATE_VALIDATE_INT_H

#include "engine/change/events.h"
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

/* validate_import.c: the validate walk at import blocks */

/* Import blocks that lead to c. */
void validate_imports(struct visit *x, const struct cfg_resource *c,
		      const struct resource_schema *schema);

/* provisioner.c: the validate walk at provisioners */

/* Returns -1 if there are errors and a provisioner: the first is the last that
 * is checked then. */
int validate_provisioners(struct visit *x, struct run_scope *s,
			  const struct cfg_resource *c);
/* Before the walk: are all that the configuration names there? */
int provisioners_exist(const struct config *c, struct diags *ds);

/* references.c: references, checked at each place before it is evaluated */

/* Checks all that an expression names. */
unsigned visit_expression(struct visit *x, struct expression e);
int visit_local(struct visit *x, const struct cfg_local *l);
void visit_provider_references(struct visit *x, const struct plan_provider *p);
void visit_depends_on(struct visit *x, const struct traversal_vec *v);
/* How conditions have their references checked. */
struct condition_use visit_conditions(struct visit *x,
				      enum condition_kind kind);
/* Evaluates with unknown values, whatever is wrong with its references. */
void visit_rule(struct visit *x, struct run_scope *s, struct expression e);
/* Returns a value despite errors, unless references of the body are wrong. */
const struct value *visit_body_value(struct visit *x, struct run_scope *s,
				     const struct body *b,
				     const struct schema_block *schema);
const struct value *visit_body(struct visit *x, struct run_scope *s,
			       const struct body *b,
			       const struct schema_block *schema,
			       struct str address);

#endif
