/*
 * decode.h - a body by a block schema into an object value
 *
 * The schema (schema/schema.h) is what a provider publishes for a resource
 * type.  Decoding is the language's business, dynamic blocks included.
 */
#ifndef TFPIPE_LANG_SPEC_DECODE_H
#define TFPIPE_LANG_SPEC_DECODE_H

#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"
#include "value/path.h"

/* Evaluates a body into a value of type schema->implied; unset attributes are
 * null, unknown dynamic blocks give unknown content (semantic-traps.md 9).
 * Always returns a value. */
const struct value *body_decode(struct arena *a, const struct body *b,
				const struct schema_block *schema,
				const struct scope *s, struct diags *ds);
/* With another scope for the expressions that decide which blocks exist:
 * for_each and labels of dynamic blocks. */
const struct value *body_decode_blocks(struct arena *a, const struct body *b,
				       const struct schema_block *schema,
				       const struct scope *s,
				       const struct scope *blocks,
				       struct diags *ds);

/*
 * body_expanded.c: the references in a body whose dynamic blocks are expanded
 */

/* The variables that the body uses once its dynamic blocks are expanded, in the
 * given scope: none in a block whose for_each is unknown, since all of it is
 * unknown. */
void body_expanded_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     const struct scope *blocks,
			     struct traversal_vec *out);

/*
 * body_path.c: the range in the body of a path into its decoded value, and the
 * checks of decoded values that report such ranges
 */

/* The attributes that hold an ephemeral value, or are one, and are not
 * write-only. */
void body_ephemeral_paths(struct arena *a, const struct schema_block *schema,
			  const struct value *v, struct path_vec *out);
/* An error for each value that is ephemeral where only write-only attributes
 * may be. */
void body_check_ephemeral(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  const struct value *v, struct diags *ds);
/* Warns of values that are derived from something deprecated; returns v
 * without those marks. */
const struct value *body_report_deprecated(struct arena *a,
					   const struct body *b,
					   const struct value *v,
					   struct diags *ds);
/* The range in the body of a path into the decoded value: the attribute's
 * value, or the nearest one; for diagnostics that come with a path. */
struct range body_path_range(struct arena *a, const struct body *b,
			     struct path p);

/*
 * body_vars.c: the references and calls in a body, dynamic blocks understood:
 * their iterators are no references
 */

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

/*
 * in_use.c: schemas of bodies whose attributes may be given as blocks: the
 * content of the body decides
 */

/* The schema to read the body by: an attribute that may be given as blocks, and
 * is, becomes a block type. */
const struct body_schema *body_schema_in_use(struct arena *a,
					     const struct body *b,
					     const struct schema_block *schema);

#endif
