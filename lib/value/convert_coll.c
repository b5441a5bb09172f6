/*
 * convert_coll.c - conversions that make collections; see convert.c
 *
 * The elements of a collection have one type.  If a constraint leaves it open
 * (list(any), or any somewhere inside), the types of the converted elements are
 * unified.
 */
#include "value/value_int.h"
#include "value/marks.h"
#include "value/refine.h"
#include "value/set.h"

/* --- collections from elements --- */

/* The type that all elements have but those of dynamic type; NULL if there are
 * several. */
static const struct type *common_type(const struct value *const *elems,
				      size_t n)
{
	const struct type *t = &type_dynamic;

	for (size_t i = 0; i < n; i++) {
		if (t == &type_dynamic)
			t = elems[i]->type;
		else if (elems[i]->type != t && elems[i]->type != &type_dynamic)
			return NULL;
	}
	return t;
}

/* The elements with type t, for those that have none. */
static const struct value *const *typed(struct arena *a,
					const struct value *const *elems,
					size_t n, const struct type *t)
{
	const struct value **list = arena_dup(a, elems, n * sizeof(*list));

	for (size_t i = 0; i < n; i++) {
		const struct value *v = list[i];

		if (v->type == t)
			continue;
		list[i] = value_with_marks(a,
					   v->state == VALUE_NULL
						   ? value_null(a, t)
						   : value_unknown(a, t),
					   v->marks);
	}
	return list;
}

const struct value *value_make_list(struct arena *a,
				    const struct value *const *elems, size_t n)
{
	const struct type *t = common_type(elems, n);

	return t ? value_list(a, t, typed(a, elems, n, t), n) : NULL;
}

const struct value *value_make_set(struct arena *a,
				   const struct value *const *elems, size_t n)
{
	const struct type *t = common_type(elems, n);

	return t ? value_set(a, t, typed(a, elems, n, t), n) : NULL;
}

const struct value *value_make_map(struct arena *a, const struct str *keys,
				   const struct value *const *elems, size_t n)
{
	const struct type *t = common_type(elems, n);

	return t ? value_map(a, t, keys, typed(a, elems, n, t), n) : NULL;
}

/* --- elements of open types --- */

static struct frame frame_of(const struct frame *at, const struct value *from,
			     uint32_t i)
{
	if (from->type->kind == TYPE_MAP)
		return frame_key(at, from->keys[i]);
	if (from->type->kind == TYPE_OBJECT)
		return frame_key(at, from->type->attrs[i].name);
	return frame_index(at, i);
}

/* Brings the elements, which come from `from`, to one type. */
static int unify_elems(struct conversion *c, const struct frame *at,
		       const struct value *from, const struct value **elems,
		       bool unsafe)
{
	uint32_t n = from->len;
	const struct type **types = arena_alloc(c->arena, n * sizeof(*types));
	const struct type *t;

	for (uint32_t i = 0; i < n; i++)
		types[i] = elems[i]->type;
	t = unify_types(types, n, unsafe);
	if (!t) {
		convert_fail(
			c, at,
			STR("cannot find a common base type for all elements"));
		return -1;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct frame here = frame_of(at, from, i);

		if (elems[i]->type == t)
			continue;
		elems[i] = convert_at(c, &here, elems[i], t);
		if (!elems[i])
			return -1;
	}
	return 0;
}

/* --- conversion --- */

typedef const struct value *convert_fn(struct conversion *,
				       const struct frame *,
				       const struct value *,
				       const struct type *);

static const struct value **convert_elems(struct conversion *c,
					  const struct frame *at,
					  const struct value *v,
					  const struct type *elem,
					  convert_fn *fn)
{
	const struct value **elems =
		arena_alloc(c->arena, (v->len + 1) * sizeof(*elems));

	for (uint32_t i = 0; i < v->len; i++) {
		struct frame here = frame_of(at, v, i);

		elems[i] = fn(c, &here, v->elems[i], elem);
		if (!elems[i])
			return NULL;
	}
	return elems;
}

static const struct value *empty(struct arena *a, const struct value *from,
				 const struct type *out)
{
	const struct type *elem = out->elem;

	if (elem == &type_dynamic && type_is_collection(from->type))
		elem = from->type->elem;
	if (out->kind == TYPE_LIST)
		return value_list(a, elem, NULL, 0);
	if (out->kind == TYPE_SET)
		return value_set(a, elem, NULL, 0);
	return value_map(a, elem, NULL, NULL, 0);
}

/* The type elements convert to: unified from theirs if the constraint leaves
 * it open. */
static const struct type *target_elem(const struct value *v,
				      const struct type *out)
{
	if (out->elem == &type_dynamic && !type_is_collection(v->type))
		return unify_parts(v->type, true);
	return out->elem;
}

static const struct value *to_list(struct conversion *c, const struct frame *at,
				   const struct value *v,
				   const struct type *out)
{
	const struct value **elems, *list;
	struct frame last;
	uint64_t lo, hi;

	value_length_bounds(v, &lo, &hi);
	if (lo != hi) /* a set that holds unknowns: they may coincide */
		return value_unknown(c->arena,
				     convert_open_type(c->arena, v->type, out));
	elems = convert_elems(c, at, v, target_elem(v, out),
			      v->type->kind == TYPE_TUPLE ? convert_at
							  : convert_part);
	if (!elems)
		return NULL;
	if (v->type->kind == TYPE_TUPLE) {
		last = frame_of(at, v, v->len - 1);
		if (unify_elems(c, &last, v, elems, true) < 0)
			return NULL;
	}
	list = value_make_list(c->arena, elems, v->len);
	return list ? list
		    : convert_fail(
			      c, at,
			      STR("element types must all match for conversion to list"));
}

static const struct value *to_set(struct conversion *c, const struct frame *at,
				  const struct value *v, const struct type *out)
{
	const struct value **elems =
		convert_elems(c, at, v, target_elem(v, out), convert_part);
	const struct value *set;

	if (!elems)
		return NULL;
	set = value_make_set(c->arena, elems, v->len);
	return set ? set
		   : convert_fail(
			     c, at,
			     STR("element types must all match for conversion to set"));
}

static const struct str *keys_of(struct arena *a, const struct value *v)
{
	struct str *keys;

	if (v->type->kind == TYPE_MAP)
		return v->keys;
	keys = arena_alloc(a, v->len * sizeof(*keys));
	for (uint32_t i = 0; i < v->len; i++)
		keys[i] = v->type->attrs[i].name;
	return keys;
}

static const struct value *to_map(struct conversion *c, const struct frame *at,
				  const struct value *v, const struct type *out)
{
	bool from_map = v->type->kind == TYPE_MAP;
	const struct type *elem = target_elem(v, out);
	const struct value **elems = convert_elems(c, at, v, elem, convert_at);
	const struct value *map;

	if (!elems)
		return NULL;
	if ((type_is_collection(elem) || elem->kind == TYPE_OBJECT) &&
	    unify_elems(c, at, v, elems, !from_map) < 0)
		return NULL;
	map = value_make_map(c->arena, keys_of(c->arena, v), elems, v->len);
	if (map)
		return map;
	return convert_fail(
		c, at,
		from_map
			? STR("element types must all match for conversion to map")
			: STR("attribute types must all match for conversion to map"));
}

const struct value *convert_collection(struct conversion *c,
				       const struct frame *at,
				       const struct value *v,
				       const struct type *out)
{
	if (!v->len)
		return empty(c->arena, v, out);
	switch (out->kind) {
	case TYPE_LIST:
		return to_list(c, at, v, out);
	case TYPE_SET:
		return to_set(c, at, v, out);
	default:
		return to_map(c, at, v, out);
	}
}
