/*
 * body_expanded.h - the references in a body whose dynamic blocks are expanded
 */
#ifndef TFPIPE_LANG_SPEC_BODY_EXPANDED_H
#define TFPIPE_LANG_SPEC_BODY_EXPANDED_H

#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"

/* The variables that the body uses once its dynamic blocks are expanded, in the
 * given scope: none in a block whose for_each is unknown, since all of it is
 * unknown. */
void body_expanded_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     const struct scope *blocks,
			     struct traversal_vec *out);

#endif
