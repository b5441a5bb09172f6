/*
 * body_vars.h - the references and calls in a body, dynamic blocks understood:
 * their iterators are no references
 */
#ifndef TFPIPE_LANG_SPEC_BODY_VARS_H
#define TFPIPE_LANG_SPEC_BODY_VARS_H

#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"

/* The traversals that decide which blocks there are (for_each and labels of
 * dynamic blocks); returns whether there are dynamic blocks. */
bool body_block_variables(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  struct traversal_vec *out);
/* Every traversal a body uses, dynamic blocks understood. */
void body_variables(struct arena *a, const struct body *b,
		    const struct schema_block *schema,
		    struct traversal_vec *out);
/* With the functions it calls (calls may be NULL). */
void body_uses(struct arena *a, const struct body *b,
	       const struct schema_block *schema, struct traversal_vec *vars,
	       struct call_vec *calls);
/* Of the arguments alone, without those in blocks. */
void body_argument_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     struct traversal_vec *out);
/* Without a schema: all of them (iterators of dynamic blocks left out). */
void body_variables_unshaped(struct arena *a, const struct body *b,
			     struct traversal_vec *out);
void body_uses_unshaped(struct arena *a, const struct body *b,
			struct traversal_vec *vars, struct call_vec *calls);
/* Without variables that only the contents of dynamic blocks use.  Those count
 * on expansion: with no element, or with unknown elements, they are not
 * evaluated (OpenTofu: the references of ExpandBlock, then of EvalBlock). */
void body_variables_unexpanded(struct arena *a, const struct body *b,
			       struct traversal_vec *out);

#endif
