/*
 * schema.c - see schema.h
 */
#include <stdlib.h>

#include "schema/schema.h"
#include "value/string.h"

const struct block_schema schema_dynamic_block = { "dynamic", { "type" } };

static int attr_by_name(const void *x, const void *y)
{
	const struct schema_attr *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

void schema_sort_attrs(struct schema_attr *attrs, size_t n)
{
	if (n)
		qsort(attrs, n, sizeof(*attrs), attr_by_name);
}

static int block_by_name(const void *x, const void *y)
{
	const struct schema_nested *a = x, *b = y;

	return str_cmp(a->type_name, b->type_name);
}

const struct schema_attr *schema_attr_find(const struct schema_block *b,
					   struct str name)
{
	size_t lo = 0, hi = b->nattrs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(name, b->attrs[mid].name);

		if (c == 0)
			return &b->attrs[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

const struct schema_nested *schema_nested_find(const struct schema_block *b,
					       struct str type_name)
{
	size_t lo = 0, hi = b->nblocks;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(type_name, b->blocks[mid].type_name);

		if (c == 0)
			return &b->blocks[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

bool schema_attr_is_sensitive(const struct schema_attr *attr)
{
	return attr->sensitive;
}

bool schema_attr_is_write_only(const struct schema_attr *attr)
{
	return attr->write_only;
}

bool schema_attr_is_deprecated(const struct schema_attr *attr)
{
	return attr->deprecated;
}

bool schema_attr_any(const struct schema_attr *attr, schema_attr_test *is)
{
	return is(attr) ||
	       (attr->nested && schema_any(attr->nested->block, is));
}

bool schema_any(const struct schema_block *b, schema_attr_test *is)
{
	for (size_t i = 0; i < b->nattrs; i++)
		if (schema_attr_any(&b->attrs[i], is))
			return true;
	for (size_t i = 0; i < b->nblocks; i++)
		if (schema_any(b->blocks[i].block, is))
			return true;
	return false;
}

/* --- types --- */

/* Objects of type t in one attribute. */
static const struct type *attr_type(enum nesting nesting, const struct type *t)
{
	switch (nesting) {
	case NESTING_LIST:
		return type_list(t);
	case NESTING_SET:
		return type_set(t);
	case NESTING_MAP:
		return type_map(t);
	default:
		return t;
	}
}

static const struct type *blocks_type(enum nesting nesting,
				      const struct type *t)
{
	if (t->has_dynamic &&
	    (nesting == NESTING_LIST || nesting == NESTING_MAP))
		return &type_dynamic;
	return attr_type(nesting, t);
}

const struct type *schema_nested_type(const struct schema_nested *n)
{
	return blocks_type(n->nesting, n->block->implied);
}

static const struct type *written_type(struct arena *a,
				       const struct schema_attr *attr)
{
	const struct schema_nested *n = attr->nested;

	return n ? attr_type(n->nesting, schema_written_type(a, n->block))
		 : attr->type;
}

const struct type *schema_written_type(struct arena *a,
				       const struct schema_block *b)
{
	const size_t n = b->nattrs + b->nblocks;
	struct type_attr *attrs = ARENA_ARRAY(a, struct type_attr, n);

	for (size_t i = 0; i < b->nattrs; i++) {
		const struct schema_attr *s = &b->attrs[i];

		attrs[i].name = s->name;
		attrs[i].type = written_type(a, s);
		attrs[i].optional = s->optional || s->computed;
	}
	for (size_t i = 0; i < b->nblocks; i++) {
		const struct schema_nested *s = &b->blocks[i];

		attrs[b->nattrs + i] = (struct type_attr){
			.name = s->type_name,
			.type = attr_type(s->nesting,
					  schema_written_type(a, s->block)),
			.optional = true,
		};
	}
	return type_object(attrs, n);
}

/* Could the older provider SDK, which mixed up attributes and blocks, have
 * made this type? */
static bool old_style_type(const struct type *t)
{
	if (t->kind == TYPE_TUPLE || t->kind == TYPE_OBJECT)
		return false;
	if (t->kind == TYPE_MAP && t->elem->kind == TYPE_OBJECT)
		return false;
	return !type_is_collection(t) || !type_is_collection(t->elem) ||
	       type_is_primitive(t->elem->elem);
}

static bool old_style(const struct schema_block *b)
{
	for (size_t i = 0; i < b->nattrs; i++)
		if (b->attrs[i].nested || !old_style_type(b->attrs[i].type))
			return false;
	for (size_t i = 0; i < b->nblocks; i++)
		if (!b->blocks[i].block->plan->as_blocks)
			return false;
	return true;
}

static void make_raw(struct arena *a, struct schema_block *b,
		     struct schema_plan *plan)
{
	struct attr_schema *attrs =
		ARENA_ARRAY(a, struct attr_schema, b->nattrs + 1);
	struct block_schema *blocks =
		ARENA_ARRAY(a, struct block_schema, b->nblocks + 2);

	for (size_t i = 0; i < b->nattrs; i++) {
		attrs[i].name = arena_strndup(a, b->attrs[i].name.p,
					      b->attrs[i].name.n);
		attrs[i].required = b->attrs[i].required;
	}
	for (size_t i = 0; i < b->nblocks; i++) {
		blocks[i].type = arena_strndup(a, b->blocks[i].type_name.p,
					       b->blocks[i].type_name.n);
		if (b->blocks[i].nesting == NESTING_MAP)
			blocks[i].labels[0] = "key";
	}
	blocks[b->nblocks] = schema_dynamic_block;
	plan->raw.attrs = attrs;
	plan->raw.blocks = blocks;
}

/* Fills b->members: the attribute or block type of each name in b's values. */
static void finish_members(struct arena *a, struct schema_block *b)
{
	const struct type *t = b->implied;
	struct schema_member *m = ARENA_ARRAY(a, struct schema_member, t->len);

	for (size_t i = 0; i < b->nblocks; i++) {
		struct str name = str_nfc(a, b->blocks[i].type_name);

		m[type_attr_index(t, name)].nested = &b->blocks[i];
	}
	for (size_t i = 0; i < b->nattrs; i++) {
		struct str name = str_nfc(a, b->attrs[i].name);

		m[type_attr_index(t, name)] = (struct schema_member){
			&b->attrs[i],
			b->attrs[i].nested,
		};
	}
	b->members = m;
}

static void finish_attrs(struct arena *a, struct schema_block *b);

static const struct schema_nested *finish_nested(struct arena *a,
						 const struct schema_nested *n)
{
	struct schema_nested *out = arena_dup(a, n, sizeof(*out));
	struct schema_block *b = arena_dup(a, n->block, sizeof(*b));
	struct type_attr *t;

	finish_attrs(a, b);
	t = ARENA_ARRAY(a, struct type_attr, b->nattrs);
	for (size_t i = 0; i < b->nattrs; i++)
		t[i] = (struct type_attr){ b->attrs[i].name, b->attrs[i].type,
					   false };
	b->implied = type_without_optional(type_object(t, b->nattrs));
	finish_members(a, b);
	out->block = b;
	return out;
}

static void finish_attrs(struct arena *a, struct schema_block *b)
{
	struct schema_attr *attrs =
		ARENA_ARRAY(a, struct schema_attr, b->nattrs);

	if (b->nattrs)
		memcpy(attrs, b->attrs, b->nattrs * sizeof(*attrs));
	schema_sort_attrs(attrs, b->nattrs);
	for (size_t i = 0; i < b->nattrs; i++) {
		if (!attrs[i].nested)
			continue;
		attrs[i].nested = finish_nested(a, attrs[i].nested);
		attrs[i].type = attr_type(attrs[i].nested->nesting,
					  attrs[i].nested->block->implied);
	}
	b->attrs = attrs;
}

static void finish_blocks(struct arena *a, struct schema_block *b)
{
	struct schema_nested *blocks =
		ARENA_ARRAY(a, struct schema_nested, b->nblocks);

	if (b->nblocks)
		memcpy(blocks, b->blocks, b->nblocks * sizeof(*blocks));
	qsort(blocks, b->nblocks, sizeof(*blocks), block_by_name);
	/* The tree is const for all but this function. */
	for (size_t i = 0; i < b->nblocks; i++)
		schema_block_finish(a, (struct schema_block *)blocks[i].block);
	b->blocks = blocks;
}

static void finish_types(struct arena *a, struct schema_block *b,
			 struct schema_plan *plan)
{
	struct type_attr *t =
		ARENA_ARRAY(a, struct type_attr, b->nattrs + b->nblocks);
	size_t n = 0;

	plan->attr_types = ARENA_ARRAY(a, const struct type *, b->nattrs);
	for (size_t i = 0; i < b->nattrs; i++) {
		const struct schema_attr *s = &b->attrs[i];

		plan->attr_types[i] = written_type(a, s);
		plan->ambiguous |= !s->nested && may_be_blocks(s->type);
		t[n++] = (struct type_attr){ s->name, plan->attr_types[i],
					     false };
	}
	for (size_t i = 0; i < b->nblocks; i++)
		t[n++] = (struct type_attr){
			b->blocks[i].type_name,
			blocks_type(b->blocks[i].nesting,
				    b->blocks[i].block->plan->spec),
			false,
		};
	plan->spec = type_object(t, n);
	b->implied = type_without_optional(plan->spec);
}

void schema_block_finish(struct arena *a, struct schema_block *b)
{
	struct schema_plan *plan;

	if (b->plan)
		return;
	plan = ARENA_NEW(a, struct schema_plan);
	finish_attrs(a, b);
	finish_blocks(a, b);
	finish_types(a, b, plan);
	finish_members(a, b);
	make_raw(a, b, plan);
	plan->as_blocks = old_style(b);
	b->plan = plan;
}

const struct schema_block *schema_of_elements(struct arena *a,
					      const struct type *elem)
{
	struct schema_block *b = ARENA_NEW(a, struct schema_block);
	struct schema_attr *attrs =
		ARENA_ARRAY(a, struct schema_attr, elem->len);

	for (uint32_t i = 0; i < elem->len; i++) {
		attrs[i].name = elem->attrs[i].name;
		attrs[i].type = elem->attrs[i].type;
		attrs[i].optional = true;
	}
	b->attrs = attrs;
	b->nattrs = elem->len;
	schema_block_finish(a, b);
	return b;
}

const struct schema_block *schema_of_block(struct arena *a,
					   const struct schema_block *s,
					   struct str type)
{
	const struct schema_nested *n = schema_nested_find(s, type);
	const struct schema_attr *attr;

	if (n)
		return n->block;
	attr = schema_attr_find(s, type);
	return attr && may_be_blocks(attr->type)
		       ? schema_of_elements(a, attr->type->elem)
		       : NULL;
}
