/*
 * body_merge.c - two bodies that answer as one
 */
#include "lang/syntax/body.h"
#include "lang/syntax/syntax_int.h"

struct body *body_merge(struct arena *a, enum body_merge_kind kind,
			const struct body *first, const struct body *second)
{
	struct body *b = ARENA_NEW(a, struct body);
	struct body_merged *m = ARENA_NEW(a, struct body_merged);

	*m = (struct body_merged){ kind, first, second };
	b->src = first->src;
	b->span = first->span;
	b->end = first->end;
	b->merged = m;
	return b;
}

/* The schema with nothing required (either body may set it) and, for overrides,
 * with "dynamic" blocks, which generate blocks of their label. */
static struct body_schema relaxed(struct arena *a,
				  const struct body_schema *schema,
				  bool dynamic)
{
	size_t nattrs = 0, nblocks = 0;
	struct attr_schema *attrs;
	struct block_schema *blocks;

	while (schema->attrs && schema->attrs[nattrs].name)
		nattrs++;
	while (schema->blocks && schema->blocks[nblocks].type)
		nblocks++;
	attrs = ARENA_ARRAY(a, struct attr_schema, nattrs + 1);
	blocks = ARENA_ARRAY(a, struct block_schema, nblocks + 2);
	for (size_t i = 0; i < nattrs; i++)
		attrs[i].name = schema->attrs[i].name;
	for (size_t i = 0; i < nblocks; i++)
		blocks[i] = schema->blocks[i];
	if (dynamic && !schema_block(schema, STR("dynamic")))
		blocks[nblocks] =
			(struct block_schema){ "dynamic", { "type" } };
	return (struct body_schema){ attrs, blocks, schema->terraforms };
}

static void add_attrs(struct arena *a, struct attribute_list *to,
		      const struct attribute_list *from, bool replace,
		      struct diags *ds)
{
	struct map have = { 0 };

	for (size_t i = 0; i < to->len; i++)
		map_put(a, &have, to->items[i]->name,
			(void *)(uintptr_t)(i + 1));
	for (size_t i = 0; i < from->len; i++) {
		const struct attribute *at = from->items[i];
		uintptr_t k = (uintptr_t)map_get(&have, at->name);
		struct range range;

		if (!k) {
			vec_push(a, to, at);
			continue;
		}
		if (replace) {
			to->items[k - 1] = at;
			continue;
		}
		range = attribute_name_range(at);
		diag_error(ds, &range, "Duplicate argument",
			   "\"%.*s\" is set on line %u already.",
			   STR_ARG(at->name),
			   attribute_name_range(to->items[k - 1]).start.line);
	}
}

static struct str overrides(const struct block *bl)
{
	if (str_is(bl->type, "dynamic") && bl->nlabels)
		return bl->labels[0].text;
	return bl->type;
}

static void add_blocks(struct arena *a, struct body_content *out,
		       const struct body_content *first,
		       const struct body_content *second,
		       enum body_merge_kind kind)
{
	struct map replaced = { 0 };

	for (size_t i = 0; kind == BODY_OVERRIDE && i < second->blocks.len; i++)
		map_put(a, &replaced, overrides(&second->blocks.items[i]), out);
	for (size_t i = 0; i < first->blocks.len; i++) {
		const struct block *bl = &first->blocks.items[i];

		if (!map_has(&replaced, overrides(bl)) &&
		    !map_has(&replaced, bl->type))
			vec_push(a, &out->blocks, *bl);
	}
	for (size_t i = 0; i < second->blocks.len; i++)
		vec_push(a, &out->blocks, second->blocks.items[i]);
}

/* Of an override, only the first body must have the required attributes: an
 * override file need not repeat them. */
int body_merged_read(struct arena *a, const struct body *b,
		     const struct body_schema *schema, struct body_content *out,
		     struct body **rest, bool strict, struct diags *ds)
{
	const struct body_merged *m = b->merged;
	bool override = m->kind == BODY_OVERRIDE;
	struct body_schema lax = relaxed(a, schema, override);
	struct body *rest1 = NULL, *rest2 = NULL;
	struct body_content c1, c2;
	size_t before = ds->errors;

	if (strict && !override) {
		body_content(a, m->first, &lax, &c1, ds);
		body_content(a, m->second, &lax, &c2, ds);
	} else {
		body_partial(a, m->first, &lax, &c1, &rest1, ds);
		body_partial(a, m->second, &lax, &c2, &rest2, ds);
	}
	out->missing = b->end;
	out->attrs = c1.attrs;
	add_attrs(a, &out->attrs, &c2.attrs, override, ds);
	add_blocks(a, out, &c1, &c2, m->kind);
	for (const struct attr_schema *s = schema->attrs; s && s->name; s++)
		if (s->required && !content_attr(override ? &c1 : out, s->name))
			body_missing_argument(b, s->name, ds);
	if (rest)
		*rest = body_merge(a, m->kind, rest1, rest2);
	return ds->errors > before ? -1 : 0;
}

static void list_attrs(struct arena *a, const struct body *b,
		       struct attribute_list *out, struct diags *ds)
{
	struct attribute_vec v;

	body_attributes(a, b, &v, ds);
	*out = (struct attribute_list){ 0 };
	for (size_t i = 0; i < v.len; i++)
		vec_push(a, out, &v.items[i]);
}

int body_merged_attributes(struct arena *a, const struct body *b,
			   struct attribute_vec *out, struct diags *ds)
{
	const struct body_merged *m = b->merged;
	struct attribute_list both, second;
	size_t before = ds->errors;

	list_attrs(a, m->first, &both, ds);
	list_attrs(a, m->second, &second, ds);
	add_attrs(a, &both, &second, m->kind == BODY_OVERRIDE, ds);
	for (size_t i = 0; i < both.len; i++)
		vec_push(a, out, *both.items[i]);
	return ds->errors > before ? -1 : 0;
}
