/*
 * references_int.h - references, checked at each place before it is evaluated
 */
#ifndef TFPIPE_ENGINE_REFERENCES_INT_H
#define TFPIPE_ENGINE_REFERENCES_INT_H

#include "engine/validate/validate_int.h"

/* Checks that named objects exist, and that the steps after them are in their
 * schemas.  Returns 0 or bits of config/check/refs.h; every expression is
 * evaluated after this. */
unsigned visit_references(struct visit *x, const struct traversal_vec *refs);
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
