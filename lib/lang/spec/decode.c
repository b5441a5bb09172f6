/*
 * decode.c - a body into an object value, guided by a schema; see decode.h
 */
#include "lang/spec/decode.h"
#include "lang/eval/eval.h"
#include "lang/spec/spec_int.h"
#include "schema/objects.h"
#include "value/convert.h"

void level_content(const struct level *l, const struct body_schema *schema,
		   struct content *out)
{
	struct body_decoder *d = l->d;
	struct body_content c = { 0 };

	body_content(d->a, l->body, schema, &c, d->ds);
	out->attrs = c.attrs;
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *b = &c.blocks.items[i];
		struct item it = { .type = b->type,
				   .nlabels = b->nlabels,
				   .body = b->body,
				   .locals = l->locals,
				   .unknown = l->unknown };
		struct str *labels;

		if (str_is(b->type, "dynamic")) {
			if (b->nlabels)
				dynamic_expand(l, b, schema, &out->items);
			continue;
		}
		labels = ARENA_ARRAY(d->a, struct str, b->nlabels);
		for (size_t k = 0; k < b->nlabels; k++)
			labels[k] = b->labels[k].text;
		it.labels = labels;
		it.header = source_range(b->src, b->header);
		vec_push(d->a, &out->items, it);
	}
}

struct level level_inner(const struct level *l, const struct item *it,
			 const struct schema_block *schema)
{
	return (struct level){ .d = l->d,
			       .body = it->body,
			       .schema = schema,
			       .locals = it->locals,
			       .marks = it->marks,
			       .unknown = it->unknown,
			       .as_blocks = l->as_blocks,
			       .depth = l->depth + 1 };
}

static const struct value *level_decode(const struct level *l);

/* The object of one block.  Blocks from a marked for_each are marked as a
 * whole, except under schemas where attributes may be written as blocks. */
static const struct value *decode_item(const struct level *l,
				       const struct item *it,
				       const struct schema_block *schema)
{
	struct level in = level_inner(l, it, schema);
	const struct value *v = level_decode(&in);

	return l->as_blocks ? v : marked(l->d->a, v, it->marks);
}

/* --- attributes --- */

static const struct value *wrong_type(const struct level *l,
				      const struct attribute *attr,
				      const struct type *t,
				      const struct verror *err)
{
	struct diags *ds = l->d->ds;
	struct range at = expression_range(attr->expr);
	struct diag *d;

	diag_error(ds, &at, "Incorrect attribute value type",
		   "The value of \"%.*s\" does not fit: %.*s.",
		   STR_ARG(attr->name), STR_ARG(verror_text(ds->arena, err)));
	d = &ds->items[ds->len - 1];
	d->context = attribute_range(attr);
	eval_explain(ds->arena, l->d->scope, l->locals, attr->expr, 0, d);
	return value_unknown(l->d->a, type_without_optional(t));
}

static const struct value *decode_attr(const struct level *l,
				       const struct attribute *attr,
				       const struct type *t)
{
	struct body_decoder *d = l->d;
	struct verror err = { 0 };
	const struct value *v, *c;

	if (!attr)
		return value_null(d->a, type_without_optional(t));
	if (l->unknown)
		v = &value_unknown_dynamic;
	else
		v = eval_with_locals(d->a, d->scope, l->locals, attr->expr,
				     d->ds);
	if (value_has_mark_deep(v, MARK_WITHIN))
		v = value_without_marks(d->a, v, MARK_WITHIN);
	v = marked(d->a, v, l->marks);
	if (v->type == t || t == &type_dynamic)
		return v;
	c = convert(d->a, v, t, &err);
	return c ? c : wrong_type(l, attr, t, &err);
}

/* Blocks in the place of a list or set of objects. */
static const struct value *decode_as_attr(const struct level *l,
					  const struct content *c,
					  struct str name, const struct type *t)
{
	struct body_decoder *d = l->d;
	const struct schema_block *schema = NULL;
	VEC(const struct value *) vals = { 0 };
	const struct value *v;
	struct verror err = { 0 };

	for (size_t i = 0; i < c->items.len; i++) {
		const struct item *it = &c->items.items[i];
		struct level in;

		if (!str_eq(it->type, name))
			continue;
		if (!schema)
			schema = schema_of_elements(d->a, t->elem);
		in = level_inner(l, it, schema);
		vec_push(d->a, &vals, level_decode(&in));
	}
	if (!vals.len)
		return value_null(d->a, type_without_optional(t));
	v = value_tuple(d->a, vals.items, vals.len);
	v = convert(d->a, v, t, &err);
	return v ? v : value_unknown(d->a, type_without_optional(t));
}

/* --- blocks --- */

static const struct value *decode_single(const struct level *l,
					 const struct content *c,
					 const struct schema_nested *n,
					 struct range missing)
{
	struct diags *ds = l->d->ds;
	const struct item *only = NULL;
	struct level in;

	for (size_t i = 0; i < c->items.len; i++) {
		const struct item *it = &c->items.items[i];

		if (!str_eq(it->type, n->type_name))
			continue;
		if (!only) {
			only = it;
			continue;
		}
		diag_error(ds, &it->header,
			   arena_printf(ds->arena, "Duplicate %.*s block",
					STR_ARG(n->type_name)),
			   "There may be one block of type \"%.*s\" only, and"
			   " one is at %.*s:%u already.",
			   STR_ARG(n->type_name), STR_ARG(only->header.file),
			   (unsigned)only->header.start.line);
		break;
	}
	if (only) {
		in = level_inner(l, only, n->block);
		return level_decode(&in);
	}
	if (n->min_items == 1)
		diag_error(ds, &missing,
			   arena_printf(ds->arena, "Missing %.*s block",
					STR_ARG(n->type_name)),
			   "A block of type \"%.*s\" is needed here.",
			   STR_ARG(n->type_name));
	if (n->nesting == NESTING_GROUP)
		return schema_empty_value(l->d->a, n->block);
	return value_null(l->d->a, n->block->implied);
}

static void check_count(const struct level *l, const struct schema_nested *n,
			const struct item *const *items, size_t count,
			struct range missing)
{
	struct diags *ds = l->d->ds;
	const struct body *b;
	struct range at;

	if (count < n->min_items) {
		diag_error(ds, &missing,
			   arena_printf(ds->arena, "Insufficient %.*s blocks",
					STR_ARG(n->type_name)),
			   "At least %llu \"%.*s\" blocks are needed.",
			   (unsigned long long)n->min_items,
			   STR_ARG(n->type_name));
	} else if (n->max_items && count > n->max_items) {
		b = items[n->max_items]->body;
		at = source_range(b->src, b->end);
		diag_error(ds, &at,
			   arena_printf(ds->arena, "Too many %.*s blocks",
					STR_ARG(n->type_name)),
			   "At most %llu \"%.*s\" blocks are allowed.",
			   (unsigned long long)n->max_items,
			   STR_ARG(n->type_name));
	}
}

static const struct value *decode_sequence(const struct level *l,
					   const struct content *c,
					   const struct schema_nested *n,
					   struct range missing)
{
	struct arena *a = l->d->a;
	VEC(const struct value *) vals = { 0 };
	VEC(const struct item *) items = { 0 };

	for (size_t i = 0; i < c->items.len; i++) {
		const struct item *it = &c->items.items[i];
		const struct value *v;

		if (!str_eq(it->type, n->type_name))
			continue;
		v = decode_item(l, it, n->block);
		/* How many blocks there will be is not known either. */
		if (it->unknown)
			return value_unknown(a, schema_nested_type(n));
		vec_push(a, &vals, v);
		vec_push(a, &items, it);
	}
	check_count(l, n, items.items, items.len, missing);
	return schema_nested_value(a, n, NULL, vals.items, vals.len);
}

static const struct value *decode_map(const struct level *l,
				      const struct content *c,
				      const struct schema_nested *n)
{
	struct arena *a = l->d->a;
	struct diags *ds = l->d->ds;
	VEC(const struct value *) vals = { 0 };
	VEC(struct str) keys = { 0 };
	struct map seen = { 0 };

	for (size_t i = 0; i < c->items.len; i++) {
		const struct item *it = &c->items.items[i];
		const struct value *v;
		struct map_entry *e;

		if (!str_eq(it->type, n->type_name) || it->nlabels == 0)
			continue;
		if (it->unknown)
			return value_unknown(a, schema_nested_type(n));
		v = decode_item(l, it, n->block);
		e = map_slot(a, &seen, it->labels[0]);
		if (e->value) {
			diag_error(
				ds, &it->header,
				arena_printf(ds->arena, "Duplicate %.*s block",
					     STR_ARG(n->type_name)),
				"There is a %.*s block \"%.*s\" already: their labels must differ.",
				STR_ARG(n->type_name), STR_ARG(it->labels[0]));
			continue;
		}
		e->value = (void *)it;
		vec_push(a, &keys, value_string(a, it->labels[0])->string);
		vec_push(a, &vals, v);
	}
	return schema_nested_value(a, n, keys.items, vals.items, vals.len);
}

static const struct value *decode_blocks(const struct level *l,
					 const struct content *c,
					 const struct schema_nested *n)
{
	struct range missing = source_range(l->body->src, l->body->end);

	switch (n->nesting) {
	case NESTING_LIST:
	case NESTING_SET:
		return decode_sequence(l, c, n, missing);
	case NESTING_MAP:
		return decode_map(l, c, n);
	default:
		return decode_single(l, c, n, missing);
	}
}

/* --- the whole --- */

static bool is_block(const struct body_schema *s, struct str name)
{
	for (const struct block_schema *b = s->blocks; b->type; b++)
		if (str_is(name, b->type))
			return true;
	return false;
}

static const struct value *make_object(const struct level *l,
				       const struct value **vals)
{
	const struct schema_block *s = l->schema;
	size_t n = s->nattrs + s->nblocks;
	const struct value **sorted;
	struct str *names;

	if (!s->implied->has_dynamic && s->implied->len == n) {
		sorted = ARENA_ARRAY(l->d->a, const struct value *, n);
		for (size_t i = 0; i < n; i++) {
			struct str name =
				i < s->nattrs
					? s->attrs[i].name
					: s->blocks[i - s->nattrs].type_name;

			sorted[type_attr_index(s->implied, name)] = vals[i];
		}
		return value_object_of(l->d->a, s->implied, sorted);
	}
	names = ARENA_ARRAY(l->d->a, struct str, n);
	for (size_t i = 0; i < n; i++)
		names[i] = i < s->nattrs ? s->attrs[i].name
					 : s->blocks[i - s->nattrs].type_name;
	return value_object(l->d->a, names, vals, n);
}

static const struct value *level_decode(const struct level *l)
{
	const struct schema_block *s = l->schema;
	const struct body_schema *raw = &s->plan->raw;
	struct arena *a = l->d->a;
	const struct attribute **given;
	const struct value **vals;
	struct content c = { 0 };

	if (l->depth > DECODE_MAX_DEPTH) {
		struct range at = source_range(l->body->src, l->body->span);

		diag_error(l->d->ds, &at, "Blocks nested too deeply",
			   "Blocks may be nested to %d levels.",
			   DECODE_MAX_DEPTH);
		return value_unknown(a, s->implied);
	}
	if (l->as_blocks)
		raw = body_effective_schema(a, l->body, s, true);
	level_content(l, raw, &c);
	given = ARENA_ARRAY(a, const struct attribute *, s->nattrs);
	for (size_t i = 0; i < c.attrs.len; i++) {
		const struct schema_attr *sa =
			schema_attr_find(s, c.attrs.items[i]->name);

		if (sa)
			given[sa - s->attrs] = c.attrs.items[i];
	}
	vals = ARENA_ARRAY(a, const struct value *, s->nattrs + s->nblocks);
	for (size_t i = 0; i < s->nattrs; i++) {
		const struct type *t = s->plan->attr_types[i];

		if (raw != &s->plan->raw && !given[i] &&
		    is_block(raw, s->attrs[i].name))
			vals[i] = decode_as_attr(l, &c, s->attrs[i].name, t);
		else
			vals[i] = decode_attr(l, given[i], t);
	}
	for (size_t i = 0; i < s->nblocks; i++)
		vals[s->nattrs + i] = decode_blocks(l, &c, &s->blocks[i]);
	return make_object(l, vals);
}

const struct value *body_decode(struct arena *a, const struct body *b,
				const struct schema_block *schema,
				const struct scope *s, struct diags *ds)
{
	return body_decode_blocks(a, b, schema, s, s, ds);
}

const struct value *body_decode_blocks(struct arena *a, const struct body *b,
				       const struct schema_block *schema,
				       const struct scope *s,
				       const struct scope *blocks,
				       struct diags *ds)
{
	struct body_decoder d = {
		.a = a, .scope = s, .blocks = blocks, .ds = ds
	};
	struct level l = { .d = &d,
			   .body = b,
			   .schema = schema,
			   .as_blocks = schema->plan->as_blocks };

	return level_decode(&l);
}
