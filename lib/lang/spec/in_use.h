/*
 * in_use.h - schemas of bodies whose attributes may be given as blocks: the
 * content of the body decides
 */
#ifndef TFPIPE_LANG_SPEC_IN_USE_H
#define TFPIPE_LANG_SPEC_IN_USE_H

#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"

/* The schema to read the body by: an attribute that may be given as blocks, and
 * is, becomes a block type. */
const struct body_schema *body_schema_in_use(struct arena *a,
					     const struct body *b,
					     const struct schema_block *schema);

#endif
