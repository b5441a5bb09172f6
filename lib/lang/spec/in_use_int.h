/*
 * in_use_int.h - schemas of bodies whose attributes may be given as blocks: the
 * content of the body decides
 */
#ifndef TFPIPE_LANG_IN_USE_INT_H
#define TFPIPE_LANG_IN_USE_INT_H

#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"

/* plan->raw, with those of the ambiguous attributes as blocks that the body
 * does not give as attributes. If !expanded (looking for variables), only
 * those for which there is such a block, or a dynamic one. */
const struct body_schema *body_effective_schema(
	struct arena *a, const struct body *b,
	const struct schema_block *schema, bool expanded);

#endif
