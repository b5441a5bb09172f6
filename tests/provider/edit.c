/* edit.c - orders that change the object of an answer */
#include "json/read.h"
#include "orders.h"
#include "value/codec_json.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"
#include "value/type.h"

struct edit {
	struct arena *a;
	const struct order *o;
	const struct value *prior, *config;
	bool failed;
};

/* A composite like v of other elements; lists and maps of which an element has
 * another type become tuples and objects, which look the same on the wire. */
static const struct value *rebuild(struct arena *a, const struct value *v,
				   const struct str *keys,
				   const struct value **elems, size_t n)
{
	const struct type *t = v->type;
	bool same = type_is_collection(t);

	for (size_t i = 0; same && i < n; i++)
		same = elems[i]->type == t->elem;
	if (t->kind == TYPE_OBJECT || (t->kind == TYPE_MAP && !same))
		return value_object(a, keys, elems, n);
	if (!same)
		return value_tuple(a, elems, n);
	if (t->kind == TYPE_MAP)
		return value_map(a, t->elem, keys, elems, n);
	return t->kind == TYPE_SET ? value_set(a, t->elem, elems, n)
				   : value_list(a, t->elem, elems, n);
}

/* A copy with room for one element more. */
static void take_apart(struct arena *a, const struct value *v,
		       struct str **keys, const struct value ***elems)
{
	*keys = ARENA_ARRAY(a, struct str, v->len + 1);
	*elems = ARENA_ARRAY(a, const struct value *, v->len + 1);
	for (size_t i = 0; i < v->len; i++) {
		(*elems)[i] = v->elems[i];
		if (v->type->kind == TYPE_MAP)
			(*keys)[i] = v->keys[i];
		else if (v->type->kind == TYPE_OBJECT)
			(*keys)[i] = v->type->attrs[i].name;
	}
}

static bool composite(const struct value *v)
{
	return v->state == VALUE_KNOWN && v->type->kind >= TYPE_LIST;
}

static ptrdiff_t find(const struct value *v, const struct path_step *step)
{
	struct str key = step->attr;
	int64_t n;

	if (!composite(v))
		return -1;
	if (step->index && step->index->type == &type_number)
		return value_get_int(step->index, &n) && n >= 0 && n < v->len
			       ? n : -1;
	if (step->index)
		key = step->index->string;
	if (v->type->kind == TYPE_OBJECT)
		return type_attr_index(v->type, key);
	for (size_t i = 0; v->type->kind == TYPE_MAP && i < v->len; i++)
		if (str_eq(v->keys[i], key))
			return (ptrdiff_t)i;
	return -1;
}

static const struct value *at(const struct value *v, struct path p)
{
	for (size_t i = 0; v && i < p.len; i++) {
		ptrdiff_t k = find(v, &p.steps[i]);

		v = k < 0 ? NULL : v->elems[k];
	}
	return v;
}

static const struct value *from_json(struct edit *e, const struct type *t)
{
	struct json_error jerr;
	struct verror err;
	const struct json *j = json_parse(e->a, e->o->arg, &jerr);

	if (!j)
		return NULL;
	return t ? value_from_json(e->a, j, t, &err)
		 : value_from_json_implied(e->a, j);
}

static const struct value *unknown(struct edit *e, const struct type *t)
{
	struct json_error jerr;
	const struct json *j;

	if (!e->o->arg.n)
		return value_unknown(e->a, t);
	j = json_parse(e->a, e->o->arg, &jerr);
	t = j ? type_from_json(e->a, j) : NULL;
	return t ? value_unknown(e->a, t) : NULL;
}

static const struct value *refined(struct edit *e, const struct type *t)
{
	struct refinement r = refinement_none;
	int64_t n = 0;
	const struct value *bound = value_number_parse(e->a, e->o->arg);

	r.not_null = true;
	if (t->kind == TYPE_STRING) {
		r.prefix = e->o->arg;
	} else if (!bound) {
		return NULL;
	} else if (t->kind == TYPE_NUMBER) {
		r.min = bound;
		r.min_inclusive = true;
	} else if (value_get_int(bound, &n)) {
		r.len_min = (uint64_t)n;
	}
	return value_unknown_refined(e->a, t, &r);
}

static const struct value *resize(struct edit *e, const struct value *v)
{
	struct str *keys;
	const struct value **elems;
	size_t n = v->len;

	if (!composite(v))
		return v;
	take_apart(e->a, v, &keys, &elems);
	if (e->o->op == OP_DROP) {
		n -= n > 0;
	} else {
		if (e->o->arg.n)
			elems[n] = from_json(e, type_is_collection(v->type)
							? v->type->elem
							: NULL);
		else if (n)
			elems[n] = elems[n - 1];
		if (!elems[n])
			return NULL;
		keys[n++] = STR("grown");
	}
	return rebuild(e->a, v, keys, elems, n);
}

static const struct value *change(struct edit *e, const struct value *v)
{
	const struct value *other;

	switch (e->o->op) {
	case OP_SET:
		return from_json(e, v->type);
	case OP_RETYPE:
		return from_json(e, NULL);
	case OP_NULL:
		return value_null(e->a, v->type);
	case OP_UNKNOWN:
		return unknown(e, v->type);
	case OP_REFINED:
		return refined(e, v->type);
	case OP_PRIOR:
	case OP_CONFIG:
		other = e->o->op == OP_PRIOR ? e->prior : e->config;
		other = other ? at(other, e->o->path) : NULL;
		return other ? other : value_null(e->a, v->type);
	case OP_DROP:
	case OP_GROW:
		return resize(e, v);
	default:
		return v;
	}
}

/* Returns v with the value at path[depth...] changed. */
static const struct value *walk(struct edit *e, const struct value *v,
				size_t depth)
{
	struct path p = e->o->path;
	struct str *keys;
	const struct value **elems, *changed;
	size_t n = v->len;
	ptrdiff_t i;

	if (depth == p.len) {
		changed = change(e, v);
		e->failed |= !changed;
		return changed ? changed : v;
	}
	i = find(v, &p.steps[depth]);
	if (i < 0 && e->o->op == OP_RETYPE && depth + 1 == p.len &&
	    composite(v)) { /* an attribute that the schema has not */
		take_apart(e->a, v, &keys, &elems);
		keys[n] = p.steps[depth].attr;
		elems[n] = change(e, &value_null_dynamic);
		return elems[n] ? rebuild(e->a, v, keys, elems, n + 1) : v;
	}
	if (i < 0)
		return v;
	take_apart(e->a, v, &keys, &elems);
	if (e->o->op == OP_REMOVE && depth + 1 == p.len) {
		for (size_t k = (size_t)i + 1; k < n; k++) {
			keys[k - 1] = keys[k];
			elems[k - 1] = elems[k];
		}
		return rebuild(e->a, v, keys, elems, n - 1);
	}
	elems[i] = walk(e, elems[i], depth + 1);
	return rebuild(e->a, v, keys, elems, n);
}

const struct value *order_edit(struct arena *a, const struct order *o,
			       const struct value *v,
			       const struct value *prior,
			       const struct value *config)
{
	struct edit e = { a, o, prior, config, false };

	v = walk(&e, v, 0);
	return e.failed ? NULL : v;
}
