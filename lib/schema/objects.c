/* objects.c - see objects.h */
#include "schema/objects.h"
#include "value/marks.h"
#include "value/value.h"
#include "value/set.h"

const struct value *schema_nested_value(struct arena *a,
					const struct schema_nested *n,
					const struct str *keys,
					const struct value *const *objects,
					size_t len)
{
	const struct type *t = n->block->implied;

	switch (n->nesting) {
	case NESTING_LIST:
		return t->has_dynamic ? value_tuple(a, objects, len)
				      : value_list(a, t, objects, len);
	case NESTING_MAP:
		return t->has_dynamic ? value_object(a, keys, objects, len)
				      : value_map(a, t, keys, objects, len);
	case NESTING_SET:
		return value_set(a, t, objects, len);
	default:
		return len ? objects[0] : value_null(a, t);
	}
}

const struct value *schema_empty_value(struct arena *a,
				       const struct schema_block *b)
{
	const struct type *t = b->implied;
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, t->len);
	struct members m = { .a = a, .block = b };

	while (members_next(&m))
		elems[m.i] = m.attr ? value_null(a, m.attr->type)
			     : m.nested->nesting == NESTING_GROUP
				     ? schema_empty_value(a, m.nested->block)
				     : schema_nested_value(a, m.nested, NULL,
							   NULL, 0);
	return value_object_like(a, t, elems);
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
	struct schema_walk w = { a, schema_attr_is_sensitive, mark, NULL,
				 false };

	return schema_walk(&w, schema, v);
}

const struct value *schema_mark_published(struct arena *a,
					  const struct value *v,
					  const struct schema_block *schema)
{
	struct schema_walk w = { a, schema_attr_is_sensitive, mark, NULL,
				 true };

	return schema_walk(&w, schema, v);
}

/* --- write-only attributes --- */

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
	struct schema_walk w = { a, schema_attr_is_write_only, nothing, NULL };

	return schema_walk(&w, b, v);
}
