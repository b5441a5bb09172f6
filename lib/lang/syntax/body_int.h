/*
 * body_int.h - what the kinds of bodies share
 */
#ifndef TFPIPE_LANG_BODY_INT_H
#define TFPIPE_LANG_BODY_INT_H

#include "lang/syntax/body.h"

/* The items that earlier reads consumed, the last read first: all that a schema
 * names, or these names. */
struct body_hidden {
	const struct body_hidden *before;
	struct body_schema schema;
	struct map names; /* mapped to anything */
};

/* b without what the schema names. */
struct body *body_without(struct arena *a, const struct body *b,
			  const struct body_schema *schema);

const struct attr_schema *schema_attr(const struct body_schema *s,
				      struct str name);
const struct block_schema *schema_block(const struct body_schema *s,
					struct str type);

void body_missing_argument(const struct body *b, const char *name,
			   struct diags *ds);

#endif
