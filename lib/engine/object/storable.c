/* storable.c - what of a provider's object may not be stored, replaced by
 * null */
#include "engine/object/objchange_int.h"

const struct value *value_rebuild(struct arena *a, const struct value *v,
				  const struct value *const *elems)
{
	const struct value *r;

	switch (v->type->kind) {
	case TYPE_LIST:
		r = value_list(a, v->type->elem, elems, v->len);
		break;
	case TYPE_SET:
		r = value_set(a, v->type->elem, elems, v->len);
		break;
	case TYPE_MAP:
		r = value_map(a, v->type->elem, v->keys, elems, v->len);
		break;
	case TYPE_TUPLE:
		r = value_tuple(a, elems, v->len);
		break;
	default:
		r = object_like(a, v->type, elems);
	}
	return v->marks ? value_with_marks(a, r, v->marks) : r;
}

/* --- unknown values --- */

static const struct value *known(struct arena *a, const struct value *v,
				 const struct at *at, struct path_vec *found)
{
	const struct value **elems, *null;

	if (v->state == VALUE_UNKNOWN) {
		vec_push(a, found, at_path(a, at));
		null = value_null(a, v->type);
		return v->marks ? value_with_marks(a, null, v->marks) : null;
	}
	if (v->state == VALUE_NULL || !v->inner_unknown)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		struct at here = at_element(a, at, v, i);

		elems[i] = known(a, v->elems[i], &here, found);
	}
	return value_rebuild(a, v, elems);
}

const struct value *value_without_unknown(struct arena *a,
					  const struct value *v,
					  struct path_vec *found)
{
	return known(a, v, NULL, found);
}

/* --- write-only attributes --- */

static bool is_write_only(const struct schema_attr *attr)
{
	return attr->write_only;
}

static const struct value *nothing(struct attr_walk *w,
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
	struct attr_walk w = { a, is_write_only, nothing, NULL };

	return attr_walk(&w, b, v);
}
