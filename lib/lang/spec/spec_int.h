/*
 * spec_int.h - what the files that decode bodies share
 *
 * A level is one body as decoding sees it: with the iterators of the dynamic
 * blocks around it, and whether one of those has an unknown number of
 * elements.
 */
#ifndef TFPIPE_LANG_SPEC_SPEC_INT_H
#define TFPIPE_LANG_SPEC_SPEC_INT_H

#include "lang/eval/eval_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"

struct body_decoder {
	struct arena *a;
	const struct scope *scope;
	const struct scope *blocks; /* for for_each and labels */
	struct diags *ds;
};

struct level {
	struct body_decoder *d;
	const struct body *body;
	const struct schema_block *schema;
	const struct eval_local *locals; /* iterators, then the caller's */
	const struct marks *marks;       /* of the for_each that made it */
	bool unknown;                    /* a for_each around is unknown */
	bool as_blocks;                  /* see schema_plan */
	int depth;
};

/* A block after expansion. */
struct item {
	struct str type;
	const struct str *labels;
	size_t nlabels;
	const struct body *body;
	struct range header;
	const struct eval_local *locals;
	const struct marks *marks;
	bool unknown;
};
struct item_vec VEC_OF(struct item);

/* The attributes and blocks read from one body. */
struct content {
	struct attribute_list attrs;
	struct item_vec items;
};

/* The body of a dynamic block of blocks without labels. */
extern const struct body_schema dynamic_body;

enum { DECODE_MAX_DEPTH = 500 };

/* decode.c: a body into an object value, guided by a schema; see decode.h */

/* The body's attributes and blocks, dynamic ones expanded. */
void level_content(const struct level *l, const struct body_schema *schema,
		   struct content *out);
/* The body of a block of it. */
struct level level_inner(const struct level *l, const struct item *it,
			 const struct schema_block *schema);

/*
 * dynamic.c: dynamic blocks: from one block with for_each to the blocks it
 * stands for
 */

/* Expands one dynamic block. */
void dynamic_expand(const struct level *l, const struct block *b,
		    const struct body_schema *schema, struct item_vec *out);

/*
 * in_use.c: schemas of bodies whose attributes may be given as blocks: the
 * content of the body decides
 */

/* plan->raw, with those of the ambiguous attributes as blocks that the body
 * does not give as attributes. If !expanded (looking for variables), only
 * those for which there is such a block, or a dynamic one. */
const struct body_schema *body_effective_schema(
	struct arena *a, const struct body *b,
	const struct schema_block *schema, bool expanded);

#endif
