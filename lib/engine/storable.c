/* storable.c - what of a provider's object may not be stored, replaced by null */
#include "engine/objchange_int.h"

/* A composite like v with other elements (of the same types, but for nulls that
 * stand for dynamic unknowns). */
static const struct value *rebuild(struct arena *a, const struct value *v,
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

static struct at step_to(struct arena *a, const struct at *up,
			 const struct value *v, uint32_t i)
{
	struct path_step step = value_step(a, v, i);

	return (struct at){ up, step.attr, step.index };
}

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
		struct at here = step_to(a, at, v, i);

		elems[i] = known(a, v->elems[i], &here, found);
	}
	return rebuild(a, v, elems);
}

const struct value *value_without_unknown(struct arena *a,
					  const struct value *v,
					  struct path_vec *found)
{
	return known(a, v, NULL, found);
}

/* --- write-only attributes --- */

static const struct value *silent_block(struct arena *a,
					const struct schema_block *b,
					const struct value *v);

static bool object_has_secret(const struct schema_object *o)
{
	for (size_t i = 0; i < o->nattrs; i++)
		if (o->attrs[i].write_only ||
		    (o->attrs[i].nested &&
		     object_has_secret(o->attrs[i].nested)))
			return true;
	return false;
}

static bool has_secret(const struct schema_block *b)
{
	for (size_t i = 0; i < b->nattrs; i++)
		if (b->attrs[i].write_only ||
		    (b->attrs[i].nested &&
		     object_has_secret(b->attrs[i].nested)))
			return true;
	for (size_t i = 0; i < b->nblocks; i++)
		if (has_secret(b->blocks[i].block))
			return true;
	return false;
}

static const struct value *silent_object(struct arena *a,
					 const struct schema_object *o,
					 const struct value *v);

static const struct value *silent_attr(struct arena *a,
				       const struct schema_attr *attr,
				       const struct value *v)
{
	const struct value **elems;
	const struct schema_object *o = attr->nested;

	if (attr->write_only)
		return value_is_null(v) ? v : value_null(a, v->type);
	if (!o || !value_usable(v) || !object_has_secret(o))
		return v;
	if (o->nesting == NESTING_SINGLE || o->nesting == NESTING_GROUP)
		return silent_object(a, o, v);
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++)
		elems[i] = silent_object(a, o, v->elems[i]);
	return rebuild(a, v, elems);
}

static const struct value *silent_object(struct arena *a,
					 const struct schema_object *o,
					 const struct value *v)
{
	const struct value **elems;

	if (!value_usable(v))
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++) {
		elems[i] = v->elems[i];
		for (size_t k = 0; k < o->nattrs; k++)
			if (str_eq(o->attrs[k].name, v->type->attrs[i].name))
				elems[i] = silent_attr(a, &o->attrs[k],
						       elems[i]);
	}
	return rebuild(a, v, elems);
}

static const struct value *silent_nested(struct arena *a,
					 const struct schema_nested *n,
					 const struct value *v)
{
	const struct value **elems;

	if (!value_usable(v) || !has_secret(n->block))
		return v;
	if (n->nesting == NESTING_SINGLE || n->nesting == NESTING_GROUP)
		return silent_block(a, n->block, v);
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++)
		elems[i] = silent_block(a, n->block, v->elems[i]);
	return rebuild(a, v, elems);
}

static const struct value *silent_block(struct arena *a,
					const struct schema_block *b,
					const struct value *v)
{
	const struct value **elems;

	if (!value_usable(v))
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++) {
		struct str name = v->type->attrs[i].name;
		const struct schema_attr *attr = schema_attr_find(b, name);
		const struct schema_nested *n =
			attr ? NULL : schema_nested_find(b, name);

		elems[i] = v->elems[i];
		if (attr)
			elems[i] = silent_attr(a, attr, elems[i]);
		else if (n)
			elems[i] = silent_nested(a, n, elems[i]);
	}
	return rebuild(a, v, elems);
}

const struct value *value_without_write_only(struct arena *a,
					     const struct schema_block *b,
					     const struct value *v)
{
	return has_secret(b) ? silent_block(a, b, v) : v;
}
