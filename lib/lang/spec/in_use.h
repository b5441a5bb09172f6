/*
 * in_use.h - what a body may hold where attributes may be given as blocks:
 * what it does hold decides
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
