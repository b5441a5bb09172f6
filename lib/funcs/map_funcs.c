/*
 * map_funcs.c - keys, lookup, merge, transpose, values, zipmap
 *
 * Maps and objects iterate in order of their keys.
 */
#include "funcs/funcs_int.h"
#include "lang/eval/eval.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/type.h"

/* The key of element i of a map or object. */
static struct str key_at(const struct value *v, uint32_t i)
{
	return v->type->kind == TYPE_MAP ? v->keys[i] : v->type->attrs[i].name;
}

static const struct type *keys_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type, **types;

	if (t->kind == TYPE_MAP)
		return &type_list_string;
	if (t->kind != TYPE_OBJECT)
		return func_fail_type(c, 0, "must have map or object type");
	types = arena_alloc(c->arena, t->len * sizeof(*types));
	for (uint32_t i = 0; i < t->len; i++)
		types[i] = &type_string;
	return type_tuple(types, t->len);
}

static const struct value *do_keys(struct func_call *c)
{
	const struct type *t = keys_type(c);
	const struct marks *m = NULL;
	const struct value *v, **items, *r;
	uint32_t n;

	if (!t)
		return NULL;
	v = func_unmark(c, 0, &m);
	if (t->kind == TYPE_LIST && !value_is_known(v))
		return value_with_marks(c->arena, func_unknown(c, t), m);
	n = v->type->kind == TYPE_OBJECT ? v->type->len : v->len;
	items = arena_alloc(c->arena, n * sizeof(*items));
	for (uint32_t i = 0; i < n; i++)
		items[i] = value_string(c->arena, key_at(v, i));
	if (t->kind == TYPE_TUPLE)
		r = value_tuple(c->arena, items, n);
	else
		r = value_list(c->arena, &type_string, items, n);
	return value_with_marks(c->arena, r, m);
}

const struct func func_keys = {
	.name = "keys",
	.description =
		"The keys of a map, or the attribute names of an object, in order.",
	.params = PARAMS({ "inputMap", &type_dynamic,
			   PARAM_UNKNOWN | PARAM_MARKED,
			   "The map; with an object the result is a tuple." }),
	.result_type = keys_type,
	.impl = do_keys,
};

static const struct type *values_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type, **types;

	if (t->kind == TYPE_MAP)
		return type_list(t->elem);
	if (t->kind != TYPE_OBJECT)
		return func_fail_type(
			c, -1, "values() requires a map as the first argument");
	types = arena_alloc(c->arena, t->len * sizeof(*types));
	for (uint32_t i = 0; i < t->len; i++)
		types[i] = t->attrs[i].type;
	return type_tuple(types, t->len);
}

static const struct value *do_values(struct func_call *c)
{
	const struct type *t = values_type(c);
	const struct marks *m = NULL;
	const struct value *v, *r;

	if (!t)
		return NULL;
	v = func_unmark(c, 0, &m);
	if (t->kind == TYPE_TUPLE)
		r = value_tuple(c->arena, v->elems, v->len);
	else
		r = value_list(c->arena, t->elem, v->elems, v->len);
	return value_with_marks(c->arena, r, m);
}

const struct func func_values = {
	.name = "values",
	.description = "The values of a map or object in order of their keys.",
	.params = PARAMS({ "mapping", &type_dynamic, PARAM_MARKED, NULL }),
	.result_type = values_type,
	.impl = do_values,
};

static const struct type *lookup_object_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;
	struct str key;
	int i;

	if (!value_is_known(c->args[1]))
		return &type_dynamic;
	key = arg_str(c, 1);
	i = type_attr_index(t, key);
	if (i >= 0)
		return t->attrs[i].type;
	if (c->nargs == 3)
		return c->args[2]->type;
	return func_fail_type(c, 0, "the given object has no attribute %.*s",
			      STR_ARG(func_quote_unless_secret(
				      c->arena, key, c->args[1]->marks)));
}

static const struct type *lookup_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;

	if (c->nargs > 3)
		return func_fail_type(
			c, -1, "lookup() takes two or three arguments, got %zu",
			c->nargs);
	if (t->kind == TYPE_OBJECT)
		return lookup_object_type(c);
	if (t->kind != TYPE_MAP)
		return func_fail_type(
			c, 0, "lookup() requires a map as the first argument");
	if (c->nargs == 3 && !func_try_convert(c, c->args[2], t->elem))
		return func_fail_type(
			c, 2,
			"the default value must have the same type as the map elements");
	return t->elem;
}

static const struct value *do_lookup(struct func_call *c)
{
	const struct type *t = lookup_type(c);
	const struct marks *m = NULL;
	const struct value *map, *key, *v;

	if (!t)
		return NULL;
	map = func_unmark(c, 0, &m);
	key = func_unmark(c, 1, &m);
	v = value_get(map, key->string);
	if (!v && c->nargs == 3) {
		v = func_convert(c, -1, c->args[2], t);
		if (!v)
			return NULL;
	}
	if (!v)
		return func_fail(
			c, -1, "lookup failed to find key %.*s",
			STR_ARG(func_quote_unless_secret(c->arena, key->string,
							 c->args[1]->marks)));
	return value_with_marks(c->arena, v, m);
}

const struct func func_lookup = {
	.name = "lookup",
	.description =
		"The value at a key of a map, or a default if it has none.",
	.params = PARAMS({ "inputMap", &type_dynamic, PARAM_MARKED, NULL },
			 { "key", &type_string, PARAM_MARKED, NULL }),
	.variadic =
		PARAM("default", &type_dynamic, PARAM_ANY | PARAM_MARKED, NULL),
	.result_type = lookup_type,
	.impl = do_lookup,
	.flags = FUNC_NULLABLE,
};

struct merge_types {
	VEC(struct type_attr) attrs;
	bool same;  /* all arguments so far have the type of the first */
	bool known; /* the keys of all maps are known */
};

static void merge_arg_type(struct func_call *c, const struct value *v,
			   struct merge_types *m)
{
	const struct type *t = v->type;

	m->same = m->same && t == c->args[0]->type;
	if (value_is_null(v))
		return;
	for (uint32_t i = 0; t->kind == TYPE_OBJECT && i < t->len; i++)
		vec_push(c->arena, &m->attrs, t->attrs[i]);
	if (t->kind == TYPE_MAP && !value_is_known(v))
		m->known = false;
	else if (t->kind == TYPE_MAP)
		for (uint32_t i = 0; i < v->len; i++)
			vec_push(c->arena, &m->attrs,
				 (struct type_attr){ v->keys[i], t->elem,
						     false });
}

static const struct type *merge_type(struct func_call *c)
{
	struct merge_types m = { .same = true, .known = true };

	if (c->nargs == 0)
		return type_object(NULL, 0);
	for (size_t i = 0; i < c->nargs; i++) {
		const struct type *t = c->args[i]->type;

		if (t == &type_dynamic)
			return t;
		if (t->kind != TYPE_MAP && t->kind != TYPE_OBJECT)
			return func_fail_type(
				c, -1,
				"arguments must be maps or objects, got \"%.*s\"",
				STR_ARG(type_friendly(c->arena, t)));
		merge_arg_type(c, c->args[i], &m);
	}
	if (m.same)
		return c->args[0]->type;
	return m.known ? type_object(m.attrs.items, m.attrs.len)
		       : &type_dynamic;
}

static const struct value *do_merge(struct func_call *c)
{
	const struct type *t = merge_type(c);
	const struct marks *m = NULL;
	VEC(struct str) keys = { 0 };
	struct value_vec items = { 0 };
	const struct value *r;

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct marks *own = m;
		const struct value *v = func_unmark(c, i, &own);
		enum type_kind kind = v->type->kind;

		/* Not even its marks are taken. */
		if (value_is_null(v))
			continue;
		m = own;
		if (is_sequence(v->type) && !v->len)
			continue;
		/* Beside an untyped null anything may turn up. */
		if (kind != TYPE_MAP && kind != TYPE_OBJECT)
			return func_fail(c, -1,
					 "arguments must be maps or objects");
		for (uint32_t j = 0; j < v->len; j++) {
			vec_push(c->arena, &keys, key_at(v, j));
			vec_push(c->arena, &items, v->elems[j]);
		}
	}
	if (t->kind == TYPE_MAP)
		r = value_map(c->arena, t->elem, keys.items, items.items,
			      items.len);
	else
		r = value_object(c->arena, keys.items, items.items, items.len);
	return value_with_marks(c->arena, r, m);
}

const struct func func_merge = {
	.name = "merge",
	.description = "One map or object of the elements of all given "
		       "ones; of equal keys the last counts.",
	.params = NO_PARAMS,
	.variadic = PARAM("maps", &type_dynamic,
			  PARAM_DYNAMIC | PARAM_NULL | PARAM_MARKED, NULL),
	.result_type = merge_type,
	.impl = do_merge,
};

/* Fails for a null at [key] or [key][index]. */
static const struct value *null_within(struct func_call *c, const char *what,
				       struct str key, int64_t index)
{
	struct str k = func_quote(c->arena, key);

	if (index < 0)
		return func_fail(c, 0, "cannot use null %s for [%.*s]", what,
				 STR_ARG(k));
	return func_fail(c, 0, "cannot use null %s for [%.*s][%lld]", what,
			 STR_ARG(k), (long long)index);
}

/* Keys are met in order, so each resulting list is sorted. */
static const struct value *do_transpose(struct func_call *c)
{
	const struct value *in = c->args[0], **lists;
	struct map lists_by_key = { 0 };
	struct str *keys;

	if (!value_wholly_known(in))
		return func_unknown(c, in->type);
	for (uint32_t i = 0; i < in->len; i++) {
		const struct value *list = in->elems[i];
		const struct value *key = value_string(c->arena, in->keys[i]);

		if (value_is_null(list))
			return null_within(c, "list", in->keys[i], -1);
		for (uint32_t j = 0; j < list->len; j++) {
			struct map_entry *e;

			if (value_is_null(list->elems[j]))
				return null_within(c, "string", in->keys[i], j);
			e = map_slot(c->arena, &lists_by_key,
				     list->elems[j]->string);
			if (!e->value)
				e->value =
					ARENA_NEW(c->arena, struct value_vec);
			vec_push(c->arena, (struct value_vec *)e->value, key);
		}
	}
	keys = arena_alloc(c->arena, lists_by_key.len * sizeof(*keys));
	lists = arena_alloc(c->arena, lists_by_key.len * sizeof(*lists));
	for (size_t i = 0; i < lists_by_key.len; i++) {
		const struct value_vec *v = lists_by_key.entries[i].value;

		keys[i] = lists_by_key.entries[i].key;
		lists[i] = value_list(c->arena, &type_string, v->items, v->len);
	}
	return value_map(c->arena, &type_list_string, keys, lists,
			 lists_by_key.len);
}

const struct func func_transpose = {
	.name = "transpose",
	.description =
		"A map of lists of strings with keys and elements exchanged.",
	.params = PARAMS({ "values", &type_map_list_string, 0, NULL }),
	.result = &type_map_list_string,
	.impl = do_transpose,
};

#define ZIPMAP_LENGTHS \
	"number of keys (%u) does not match number of values (%u)"

static const struct type *zipmap_object_type(struct func_call *c)
{
	const struct value *keys = c->args[0];
	const struct type *t = c->args[1]->type;
	struct type_attr *attrs;

	if (!value_wholly_known(keys))
		return &type_dynamic;
	if (keys->len != t->len)
		return func_fail_type(c, -1, ZIPMAP_LENGTHS, keys->len, t->len);
	attrs = ARENA_ARRAY(c->arena, struct type_attr, t->len);
	for (uint32_t i = 0; i < t->len; i++) {
		if (value_is_null(keys->elems[i]))
			return func_fail_type(
				c, -1, "keys list has null value at index %u",
				i);
		attrs[i].name = keys->elems[i]->string;
		attrs[i].type = t->elems[i];
	}
	return type_object(attrs, t->len);
}

static const struct type *zipmap_type(struct func_call *c)
{
	const struct type *t = c->args[1]->type;

	if (t->kind == TYPE_LIST)
		return type_map(t->elem);
	if (t->kind == TYPE_TUPLE)
		return zipmap_object_type(c);
	return func_fail_type(c, -1,
			      "values argument must be a list or tuple value");
}

static const struct value *do_zipmap(struct func_call *c)
{
	const struct type *t = zipmap_type(c);
	const struct marks *m = NULL, *own;
	const struct value *keys, *values, *r;
	struct str *names;

	if (!t)
		return NULL;
	keys = func_unmark(c, 0, &m);
	values = func_unmark(c, 1, &m);
	if (!value_wholly_known(keys)) {
		r = value_with_marks(c->arena, func_unknown(c, t), m);
		r = eval_still_ephemeral(c->eval, r, keys);
		return eval_still_ephemeral(c->eval, r, values);
	}
	if (keys->len != values->len)
		return func_fail(c, -1, ZIPMAP_LENGTHS, keys->len, values->len);
	names = arena_alloc(c->arena, keys->len * sizeof(*names));
	for (uint32_t i = 0; i < keys->len; i++) {
		const struct value *k =
			value_unmark(c->arena, keys->elems[i], &own);

		if (value_is_null(k))
			return func_fail(c, -1,
					 "keys list has null value at index %u",
					 i);
		names[i] = k->string;
		m = marks_union(c->arena, m, own);
	}
	if (t->kind == TYPE_MAP)
		r = value_map(c->arena, t->elem, names, values->elems,
			      keys->len);
	else
		r = value_object(c->arena, names, values->elems, keys->len);
	return value_with_marks(c->arena, r, m);
}

const struct func func_zipmap = {
	.name = "zipmap",
	.description = "A map with keys from one list and values from another.",
	.params = PARAMS({ "keys", &type_list_string, PARAM_MARKED, NULL },
			 { "values", &type_dynamic, PARAM_MARKED, NULL }),
	.result_type = zipmap_type,
	.impl = do_zipmap,
};
