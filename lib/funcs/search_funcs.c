/*
 * search_funcs.c - alltrue, anytrue, coalesce, coalescelist, contains, index,
 * length, list, map, matchkeys, sum
 */
#include "base/str.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"
#include "value/type.h"
#include "value/convert.h"

static const struct value *do_alltrue(struct func_call *c)
{
	const struct value *list = c->args[0];

	for (uint32_t i = 0; i < list->len; i++) {
		const struct value *v = list->elems[i];

		if (!value_is_known(v))
			return func_unknown(c, &type_bool);
		if (value_is_null(v) || !v->boolean)
			return &value_false;
	}
	return &value_true;
}

const struct func func_alltrue = {
	.name = "alltrue",
	.description =
		"Are all elements of a list true? (Also if it is empty.)",
	.params = PARAMS({ "list", &type_list_bool, 0, NULL }),
	.result = &type_bool,
	.impl = do_alltrue,
};

static const struct value *do_anytrue(struct func_call *c)
{
	const struct value *list = c->args[0];
	bool unknown = false;

	for (uint32_t i = 0; i < list->len; i++) {
		const struct value *v = list->elems[i];

		if (value_usable(v) && v->boolean)
			return &value_true;
		unknown |= !value_is_known(v);
	}
	return unknown ? func_unknown(c, &type_bool) : &value_false;
}

const struct func func_anytrue = {
	.name = "anytrue",
	.description = "Is any element of a list true?",
	.params = PARAMS({ "list", &type_list_bool, 0, NULL }),
	.result = &type_bool,
	.impl = do_anytrue,
};

static const struct type *coalesce_type(struct func_call *c)
{
	const struct type **types = arena_alloc(c->arena,
						c->nargs * sizeof(*types)),
			  *t;

	for (size_t i = 0; i < c->nargs; i++)
		types[i] = c->args[i]->type;
	t = c->nargs ? unify(c->arena, types, c->nargs) : &type_dynamic;
	if (!t)
		return func_fail_type(c, -1,
				      "all arguments must have the same type");
	return t;
}

static const struct value *do_coalesce(struct func_call *c)
{
	const struct type *t = coalesce_type(c);

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		/* In OpenTofu a value that does not convert counts as null. */
		const struct value *v = func_try_convert(c, c->args[i], t);

		if (!v)
			continue;
		if (!value_is_known(v))
			return func_unknown(c, t);
		if (!value_is_null(v) &&
		    !(t == &type_string && v->string.n == 0))
			return v;
	}
	return func_fail(c, -1, "no non-null, non-empty-string arguments");
}

const struct func func_coalesce = {
	.name = "coalesce",
	.description =
		"The first argument that is neither null nor an empty string.",
	.params = NO_PARAMS,
	.variadic = PARAM("vals", &type_dynamic, PARAM_ANY, NULL),
	.result_type = coalesce_type,
	.impl = do_coalesce,
};

static const struct type *coalescelist_type(struct func_call *c)
{
	const struct type *t;

	if (c->nargs == 0)
		return func_fail_type(c, -1,
				      "at least one argument is required");
	t = c->args[0]->type;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct type *next = c->args[i]->type;

		if (!value_is_known(c->args[i]))
			return &type_dynamic;
		if (next->kind != TYPE_LIST && next->kind != TYPE_TUPLE)
			return func_fail_type(
				c, -1,
				"coalescelist arguments must be lists or tuples");
		if (next != t)
			t = &type_dynamic;
	}
	return t;
}

static const struct value *do_coalescelist(struct func_call *c)
{
	const struct type *t = coalescelist_type(c);

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = c->args[i];

		if (!value_is_known(v))
			return func_unknown(c, t);
		if (!value_is_null(v) && v->len > 0)
			return v;
	}
	return func_fail(c, -1, "no non-null arguments");
}

const struct func func_coalescelist = {
	.name = "coalescelist",
	.description = "The first list that is not empty.",
	.params = NO_PARAMS,
	.variadic = PARAM("vals", &type_dynamic, PARAM_ANY,
			  "The lists or tuples, tried in this order."),
	.result_type = coalescelist_type,
	.impl = do_coalescelist,
};

static const struct value *do_contains(struct func_call *c)
{
	const struct value *list = c->args[0];
	bool unknown = false;

	if (!is_sequence(list->type))
		return func_fail(c, -1, "argument must be list, tuple, or set");
	for (uint32_t i = 0; i < list->len; i++) {
		const struct value *eq =
			value_equals(c->arena, c->args[1], list->elems[i]);

		if (!value_is_known(eq))
			unknown = true;
		else if (eq->boolean)
			return &value_true;
	}
	return unknown ? func_unknown(c, &type_bool) : &value_false;
}

const struct func func_contains = {
	.name = "contains",
	.description = "Is the value an element of the list or set?",
	.params = PARAMS({ "list", &type_dynamic, 0, NULL },
			 { "value", &type_dynamic, 0, NULL }),
	.result = &type_bool,
	.impl = do_contains,
};

static const struct value *do_index(struct func_call *c)
{
	const struct value *list = c->args[0];

	if (list->type->kind != TYPE_LIST && list->type->kind != TYPE_TUPLE)
		return func_fail(c, -1, "argument must be a list or tuple");
	if (list->len == 0)
		return func_fail(c, -1, "cannot search an empty list");
	for (uint32_t i = 0; i < list->len; i++) {
		const struct value *eq =
			value_equals(c->arena, list->elems[i], c->args[1]);

		if (!value_is_known(eq))
			return func_unknown(c, &type_number);
		if (eq->boolean)
			return value_int(c->arena, i);
	}
	return func_fail(c, -1, "item not found");
}

const struct func func_index = {
	.name = "index",
	.description =
		"The index of the first element of a list that equals the value.",
	.params = PARAMS({ "list", &type_dynamic, 0, NULL },
			 { "value", &type_dynamic, 0, NULL }),
	.result = &type_number,
	.impl = do_index,
};

/* In characters; of an unknown string those of its prefix are certain, unless
 * the last one may grow. */
static const struct value *string_length(struct func_call *c,
					 const struct value *v)
{
	struct str s = STR_NONE;
	int64_t n = 0;

	if (v->state == VALUE_KNOWN)
		s = v->string;
	else if (v->refined)
		s = v->refined->prefix;
	for (; s.n; n++)
		s = str_sub(s, grapheme_len(s), s.n);
	if (v->state != VALUE_KNOWN) {
		struct refinement r = {
			.not_null = true,
			.min = value_int(c->arena, n),
			.min_inclusive = true,
			.len_max = UINT64_MAX,
		};

		return value_unknown_refined(c->arena, &type_number, &r);
	}
	return value_int(c->arena, n);
}

static const struct value *do_length(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *v = func_unmark(c, 0, &m), *r;

	if (v->type == &type_dynamic)
		r = func_unknown(c, &type_number);
	else if (v->type->kind == TYPE_TUPLE || v->type->kind == TYPE_OBJECT)
		r = value_int(c->arena, v->type->len);
	else if (v->type == &type_string)
		r = string_length(c, v);
	else if (type_is_collection(v->type))
		r = value_length(c->arena, v);
	else
		return func_fail(
			c, -1,
			"argument must be a string, a collection type, or a structural type");
	return value_with_marks(c->arena, r, m);
}

const struct func func_length = {
	.name = "length",
	.description =
		"How many elements a collection or characters a string has.",
	.params =
		PARAMS({ "value", &type_dynamic,
			 PARAM_DYNAMIC | PARAM_UNKNOWN | PARAM_MARKED, NULL }),
	.result = &type_number,
	.impl = do_length,
};

static const struct type *list_type(struct func_call *c)
{
	return func_fail_type(c, -1,
			      "the \"list\" function was deprecated "
			      "in Terraform v0.12 and is not available in "
			      "OpenTofu; use tolist([ ... ]) syntax to write "
			      "a literal list");
}

static const struct value *do_list(struct func_call *c)
{
	list_type(c);
	return NULL;
}

const struct func func_list = {
	.name = "list",
	.description = "No longer available; write tolist([...]).",
	.params = NO_PARAMS,
	.variadic = PARAM("vals", &type_dynamic, PARAM_ANY, NULL),
	.result_type = list_type,
	.impl = do_list,
	.flags = FUNC_NULLABLE,
};

static const struct type *map_type(struct func_call *c)
{
	return func_fail_type(c, -1,
			      "the \"map\" function was deprecated in "
			      "Terraform v0.12 and is not available in "
			      "OpenTofu; use tomap({ ... }) syntax to write a "
			      "literal map");
}

static const struct value *do_map(struct func_call *c)
{
	map_type(c);
	return NULL;
}

const struct func func_map = {
	.name = "map",
	.description = "No longer available; write tomap({...}).",
	.params = NO_PARAMS,
	.variadic = PARAM("vals", &type_dynamic, PARAM_ANY, NULL),
	.result_type = map_type,
	.impl = do_map,
	.flags = FUNC_NULLABLE,
};

static const struct type *matchkeys_common(struct func_call *c)
{
	const struct type *types[2] = { c->args[1]->type, c->args[2]->type };
	const struct type *t = unify(c->arena, types, 2);

	if (!t)
		return func_fail_type(
			c, -1, "keys and searchset must be of the same type");
	return t;
}

static const struct type *matchkeys_type(struct func_call *c)
{
	return matchkeys_common(c) ? c->args[0]->type : NULL;
}

/* 1: key is in the searched list; 0: not; -1: unknown.  Wholly known elements
 * are in `known`, the others in the order of the list. */
static int search_key(struct func_call *c, const struct value *key,
		      const struct value *known, const struct value *search)
{
	uint32_t lo = 0, hi = known->len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int order = value_set_cmp(key, known->elems[mid]);

		if (order == 0)
			return 1;
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	for (uint32_t i = 0; known->len == 0 && i < search->len; i++) {
		const struct value *eq =
			value_equals(c->arena, key, search->elems[i]);

		if (!value_is_known(eq))
			return -1;
		if (eq->boolean)
			return 1;
	}
	return 0;
}

static const struct value *matching_values(struct func_call *c,
					   const struct value *keys,
					   const struct value *search)
{
	const struct value *values = c->args[0];
	const struct type *elem = values->type->elem;
	/* A list with unknown elements is searched one by one. */
	const struct value *known =
		value_set(c->arena, search->type->elem, search->elems,
			  value_wholly_known(search) ? search->len : 0);
	struct value_vec found = { 0 };

	for (uint32_t i = 0; i < keys->len; i++) {
		int hit = search_key(c, keys->elems[i], known, search);

		if (hit < 0) /* OpenTofu has an empty list instead */
			return func_unknown(c, values->type);
		if (hit)
			vec_push(c->arena, &found, values->elems[i]);
	}
	return value_list(c->arena, elem, found.items, found.len);
}

static const struct value *do_matchkeys(struct func_call *c)
{
	const struct type *t = matchkeys_common(c);
	const struct value *values = c->args[0], *keys, *search;

	if (!t)
		return NULL;
	if (values->len != c->args[1]->len)
		return func_fail(c, -1,
				 "length of keys and values should be equal");
	keys = func_convert(c, 1, c->args[1], t);
	search = func_convert(c, 2, c->args[2], t);
	if (!keys || !search)
		return NULL;
	if (search->len == 0)
		return value_list(c->arena, values->type->elem, NULL, 0);
	if (!value_wholly_known(values) || !value_wholly_known(keys))
		return func_unknown(c, values->type);
	return matching_values(c, keys, search);
}

const struct func func_matchkeys = {
	.name = "matchkeys",
	.description = "Those elements of a list whose counterparts in a "
		       "list of keys occur in a third list.",
	.params = PARAMS({ "values", &type_list_dynamic, 0, NULL },
			 { "keys", &type_list_dynamic, 0, NULL },
			 { "searchset", &type_list_dynamic, 0, NULL }),
	.result_type = matchkeys_type,
	.impl = do_matchkeys,
};

#define SUM_NEEDS "argument must be list, set, or tuple of number values"

static const struct value *do_sum(struct func_call *c)
{
	const struct value *list = c->args[0], *sum = NULL;
	const struct type *t = list->type;

	if (type_is_primitive(t))
		return func_fail(c, 0, "cannot sum noniterable");
	if (list->len == 0)
		return func_fail(c, 0, "cannot sum an empty list");
	if (!is_sequence(t))
		return func_fail(
			c, 0,
			"argument must be list, set, or tuple. Received %.*s",
			STR_ARG(type_friendly(c->arena, t)));
	if (!value_wholly_known(list))
		return func_unknown(c, &type_number);
	for (uint32_t i = 0; i < list->len; i++) {
		const struct value *v =
			func_try_convert(c, list->elems[i], &type_number);

		if (!v || value_is_null(v))
			return func_fail(c, 0, SUM_NEEDS);
		if (sum && number_is_infinite(sum) && number_is_infinite(v) &&
		    number_sign(sum) != number_sign(v))
			return func_fail(
				c, -1,
				"can't compute sum of opposing infinities");
		sum = sum ? number_add(c->arena, sum, v) : v;
	}
	return sum;
}

const struct func func_sum = {
	.name = "sum",
	.description = "The sum of the numbers of a list or set.",
	.params = PARAMS({ "list", &type_dynamic, 0, NULL }),
	.result = &type_number,
	.impl = do_sum,
};
