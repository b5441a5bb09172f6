/* objects.c - see objects.h */
#include "schema/objects.h"

#include "schema/walk.h"

static const struct value *empty_nested(struct arena *a,
					const struct schema_nested *n)
{
	const struct type *t = n->block->implied;

	switch (n->nesting) {
	case NESTING_GROUP:
		return schema_empty_value(a, n->block);
	case NESTING_LIST:
		return t->has_dynamic ? value_tuple(a, NULL, 0)
				      : value_list(a, t, NULL, 0);
	case NESTING_MAP:
		return t->has_dynamic ? value_object(a, NULL, NULL, 0)
				      : value_map(a, t, NULL, NULL, 0);
	case NESTING_SET:
		return value_set(a, t, NULL, 0);
	default:
		return value_null(a, t);
	}
}

const struct value *schema_empty_value(struct arena *a,
				       const struct schema_block *b)
{
	size_t n = b->nattrs + b->nblocks;
	struct str *names = ARENA_ARRAY(a, struct str, n);
	const struct value **vals = ARENA_ARRAY(a, const struct value *, n);

	n = 0;
	for (size_t i = 0; i < b->nattrs; i++) {
		names[n] = b->attrs[i].name;
		vals[n++] = value_null(a, b->attrs[i].type);
	}
	for (size_t i = 0; i < b->nblocks; i++) {
		names[n] = b->blocks[i].type_name;
		vals[n++] = empty_nested(a, &b->blocks[i]);
	}
	return value_object(a, names, vals, n);
}

const struct value *schema_unknown_object(struct arena *a,
					  const struct schema_block *b)
{
	const struct type *t = b->implied;
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, t->len);

	for (size_t i = 0; i < t->len; i++)
		elems[i] = value_unknown(a, t->attrs[i].type);
	return schema_mark_sensitive(a, value_object_like(a, t, elems), b);
}

/* --- sensitive attributes --- */

static bool is_sensitive(const struct schema_attr *attr)
{
	return attr->sensitive;
}

static const struct value *mark(struct schema_walk *w,
				const struct schema_attr *attr,
				const struct value *v, const struct at *at)
{
	(void)attr;
	(void)at;
	return value_with_marks(w->a, v, &marks_sensitive);
}

const struct value *schema_mark_sensitive(struct arena *a,
					  const struct value *v,
					  const struct schema_block *schema)
{
	struct schema_walk w = { a, is_sensitive, mark, NULL };

	return schema_walk(&w, schema, v);
}

/* --- write-only attributes --- */

static bool is_write_only(const struct schema_attr *attr)
{
	return attr->write_only;
}

static const struct value *nothing(struct schema_walk *w,
				   const struct schema_attr *attr,
				   const struct value *v, const struct at *at)
{
	(void)attr;
	(void)at;
	return value_is_null(v) ? v : value_null(w->a, v->type);
}

const struct value *value_without_write_only(struct arena *a,
					     const struct schema_block *b,
					     const struct value *v)
{
	struct schema_walk w = { a, is_write_only, nothing, NULL };

	return schema_walk(&w, b, v);
}
