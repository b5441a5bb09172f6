/*
 * in_use.c - schemas of bodies whose attributes may be given as blocks: the
 * content of the body decides
 */
#include "lang/spec/decode.h"
#include "lang/spec/spec_int.h"

static bool has_attr(struct arena *a, const struct body *b, const char *name)
{
	const struct attr_schema attrs[] = { { name, false }, { 0 } };
	const struct block_schema none[] = { { 0 } };
	const struct body_schema probe = { attrs, none };
	struct body_content c = { 0 };
	struct diags quiet = DIAGS_INIT(a);

	body_partial(a, b, &probe, &c, NULL, &quiet);
	return c.attrs.len != 0;
}

/* Is there a block of this type, written out or dynamic? */
static bool has_block(struct arena *a, const struct body *b, const char *type)
{
	const struct attr_schema none[] = { { 0 } };
	const struct block_schema blocks[] = { { .type = type },
					       schema_dynamic_block,
					       { 0 } };
	const struct body_schema probe = { none, blocks };
	struct body_content c = { 0 };
	struct diags quiet = DIAGS_INIT(a);

	body_partial(a, b, &probe, &c, NULL, &quiet);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *k = &c.blocks.items[i];

		if (str_is(k->type, type))
			return true;
		if (k->nlabels && str_is(k->labels[0].text, type))
			return true;
	}
	return false;
}

const struct body_schema *body_effective_schema(
	struct arena *a, const struct body *b,
	const struct schema_block *schema, bool expanded)
{
	const struct schema_plan *plan = schema->plan;
	struct body_schema *out;
	struct attr_schema *attrs;
	struct block_schema *blocks;
	size_t na = 0, nb = 0;

	if (!plan->ambiguous)
		return &plan->raw;
	attrs = ARENA_ARRAY(a, struct attr_schema, schema->nattrs + 1);
	blocks = ARENA_ARRAY(a, struct block_schema,
			     schema->nattrs + schema->nblocks + 2);
	for (size_t i = 0; i < schema->nattrs; i++) {
		const char *name = plan->raw.attrs[i].name;

		if (!schema->attrs[i].nested &&
		    may_be_blocks(plan->attr_types[i]) &&
		    !has_attr(a, b, name) &&
		    (expanded || has_block(a, b, name)))
			blocks[nb++].type = name;
		else
			attrs[na++] = plan->raw.attrs[i];
	}
	memcpy(blocks + nb, plan->raw.blocks,
	       (schema->nblocks + 1) * sizeof(*blocks));
	out = ARENA_NEW(a, struct body_schema);
	out->attrs = attrs;
	out->blocks = blocks;
	return out;
}

const struct body_schema *body_schema_in_use(struct arena *a,
					     const struct body *b,
					     const struct schema_block *schema)
{
	return schema->plan->as_blocks
		       ? body_effective_schema(a, b, schema, false)
		       : &schema->plan->raw;
}
