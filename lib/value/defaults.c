/*
 * defaults.c - defaults of optional attributes; see convert.h
 *
 * Reports nothing: where a value does not have the shape the defaults were
 * declared for, it is left as it is and conversion will say what is wrong.
 */
#include "value/convert.h"
#include "value/value_int.h"
#include "value/marks.h"
#include "value/refine.h"

/* The defaults inside d: by name in an object, by index in a tuple, one for all
 * elements of a collection. */
static const struct type_defaults *child_named(const struct type_defaults *d,
					       struct str name)
{
	if (d->type->kind != TYPE_OBJECT)
		name = STR("");
	return map_get(&d->children, name);
}

static const struct type_defaults *child_at(struct arena *a,
					    const struct type_defaults *d,
					    uint32_t i)
{
	if (d->type->kind == TYPE_TUPLE)
		return map_get(&d->children, str_printf(a, "%u", (unsigned)i));
	return map_get(&d->children, STR(""));
}

static const struct value *apply_child(struct arena *a,
				       const struct type_defaults *child,
				       const struct value *v)
{
	return child ? type_defaults_apply(a, child, v) : v;
}

/* As a list or set if the elements still have a common type, else a tuple. */
static const struct value *apply_sequence(struct arena *a,
					  const struct type_defaults *d,
					  const struct value *v)
{
	const struct value **elems = arena_alloc(a, v->len * sizeof(*elems));
	const struct value **same, *w = NULL;
	struct verror err;

	if (!v->len)
		return v;
	for (uint32_t i = 0; i < v->len; i++)
		elems[i] = apply_child(a, child_at(a, d, i), v->elems[i]);
	same = arena_dup(a, elems, v->len * sizeof(*same));
	if (v->type->kind != TYPE_TUPLE && unify_values(a, same, v->len, &err))
		w = v->type->kind == TYPE_SET
			    ? value_make_set(a, same, v->len)
			    : value_make_list(a, same, v->len);
	return w ? w : value_tuple(a, elems, v->len);
}

/* The defaults for attributes of a mapping, put in place. */
static void put_values(struct arena *a, const struct type_defaults *d,
		       struct map *m)
{
	for (size_t i = 0; i < d->values.len; i++) {
		struct str name = d->values.entries[i].key;
		const struct value *def = d->values.entries[i].value;
		const struct type_defaults *child = map_get(&d->children, name);
		struct map_entry *e = map_slot(a, m, name);
		const struct value *v = e->value;

		if (!v || v->state == VALUE_NULL) {
			v = apply_child(a, child, def);
			e->value = (void *)v;
			if (child)
				continue;
		}
		if (value_definitely_not_null(def))
			e->value = (void *)value_refine_not_null(a, v);
	}
}

static const struct value *apply_mapping(struct arena *a,
					 const struct type_defaults *d,
					 const struct value *v)
{
	const struct value **elems, **same, *w = NULL;
	struct map m = { 0 };
	struct verror err;
	struct str *names;

	for (uint32_t i = 0; i < v->len; i++) {
		struct str name = v->type->kind == TYPE_MAP
					  ? v->keys[i]
					  : v->type->attrs[i].name;

		map_put(a, &m, name,
			(void *)apply_child(a, child_named(d, name),
					    v->elems[i]));
	}
	put_values(a, d, &m);
	if (!m.len)
		return v;
	names = arena_alloc(a, m.len * sizeof(*names));
	elems = arena_alloc(a, m.len * sizeof(*elems));
	for (size_t i = 0; i < m.len; i++) {
		names[i] = m.entries[i].key;
		elems[i] = m.entries[i].value;
	}
	same = arena_dup(a, elems, m.len * sizeof(*same));
	if (v->type->kind == TYPE_MAP && unify_values(a, same, m.len, &err))
		w = value_make_map(a, names, same, m.len);
	return w ? w : value_object(a, names, elems, m.len);
}

const struct value *type_defaults_apply(struct arena *a,
					const struct type_defaults *d,
					const struct value *v)
{
	const struct marks *m;

	if (v->state != VALUE_KNOWN || v->type->kind < TYPE_LIST ||
	    (!d->values.len && !d->children.len))
		return v;
	v = value_unmark(a, v, &m);
	if (v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT)
		v = apply_mapping(a, d, v);
	else
		v = apply_sequence(a, d, v);
	return value_with_marks(a, v, m);
}
