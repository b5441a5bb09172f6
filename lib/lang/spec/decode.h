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

/* Evaluates a body into a value of type schema->implied; unset attributes are
 * null, unknown dynamic blocks give unknown content (semantic-traps.md 9).
 * Always returns a value. */
const struct value *body_decode(struct arena *a, const struct body *b,
				const struct schema_block *schema,
				const struct scope *s,
				const struct eval_local *locals,
				struct diags *ds);
/* With another scope for the expressions that decide which blocks exist:
 * for_each and labels of dynamic blocks. */
const struct value *body_decode_blocks(struct arena *a, const struct body *b,
				       const struct schema_block *schema,
				       const struct scope *s,
				       const struct scope *blocks,
				       struct diags *ds);

#endif
