/*
 * set_funcs.c - setintersection, setproduct, setsubtract, setunion
 *
 * Sets are sorted, so that each operation is one pass over both.
 */
#include "funcs/funcs_int.h"
#include "lang/eval/eval.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/refine.h"
#include "value/set.h"
#include "value/convert.h"

/* The set type that all arguments can have. Empty sets without an element type,
 * such as toset([]), do not affect it. */
static const struct type *set_type(struct func_call *c)
{
	const struct type **types, *t;
	size_t n = 0;

	types = arena_alloc(c->arena, c->nargs * sizeof(*types));
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = c->args[i];

		if (v->type->kind != TYPE_SET)
			return type_set(&type_dynamic);
		if (value_is_known(v) && v->len == 0 &&
		    v->type->elem == &type_dynamic)
			continue;
		types[n++] = v->type->elem;
	}
	if (n == 0)
		return type_set(&type_dynamic);
	t = unify(c->arena, types, n);
	if (!t)
		return func_fail_type(
			c, -1,
			"given sets must all have compatible element types");
	return type_set(t);
}

/* Keeps those elements of x that are (keep_common) or are not in y. */
static const struct value *select_elements(struct arena *a,
					   const struct value *x,
					   const struct value *y,
					   bool keep_common)
{
	struct value_vec kept = { 0 };

	for (uint32_t i = 0, j = 0; i < x->len; i++) {
		int order = -1;

		while (j < y->len &&
		       (order = value_set_cmp(y->elems[j], x->elems[i])) < 0)
			j++;
		if ((j < y->len && order == 0) == keep_common)
			vec_push(a, &kept, x->elems[i]);
	}
	return value_set(a, x->type->elem, kept.items, kept.len);
}

static const struct value *intersection(struct arena *a, const struct value *x,
					const struct value *y)
{
	return select_elements(a, x, y, true);
}

static const struct value *difference(struct arena *a, const struct value *x,
				      const struct value *y)
{
	return select_elements(a, x, y, false);
}

/* If t leaves the element type open, all sets must have been converted to the
 * same type; else fails the call. */
static bool same_elements(struct func_call *c, const struct value *v,
			  const struct value *first)
{
	if (!first || v->type == first->type)
		return true;
	func_fail(c, -1, "given sets must all have the same element type");
	return false;
}

/* Folds op over the arguments; unknown if any is not wholly known. */
static const struct value *fold_sets(
	struct func_call *c,
	const struct value *(*op)(struct arena *a, const struct value *x,
				  const struct value *y))
{
	const struct type *t = set_type(c);
	const struct value *r = NULL;

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = func_convert(c, (int)i, c->args[i], t);

		if (!v)
			return NULL;
		if (!value_wholly_known(v))
			return func_unknown(c, t);
		if (!same_elements(c, v, r))
			return NULL;
		r = r ? op(c->arena, r, v) : v;
	}
	return r;
}

static const struct value *do_setintersection(struct func_call *c)
{
	return fold_sets(c, intersection);
}

const struct func func_setintersection = {
	.name = "setintersection",
	.description = "The set of the elements that all given sets have.",
	.params =
		PARAMS({ "first_set", &type_set_dynamic, PARAM_DYNAMIC, NULL }),
	.variadic = PARAM("other_sets", &type_set_dynamic, PARAM_DYNAMIC, NULL),
	.result_type = set_type,
	.impl = do_setintersection,
};

static const struct value *do_setsubtract(struct func_call *c)
{
	return fold_sets(c, difference);
}

const struct func func_setsubtract = {
	.name = "setsubtract",
	.description =
		"The elements of the first set that the second does not have.",
	.params = PARAMS({ "a", &type_set_dynamic, PARAM_DYNAMIC, NULL },
			 { "b", &type_set_dynamic, PARAM_DYNAMIC, NULL }),
	.result_type = set_type,
	.impl = do_setsubtract,
};

static const struct value *do_setunion(struct func_call *c)
{
	const struct type *t = set_type(c);
	const struct value *first = NULL;
	struct value_vec items = { 0 };

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = func_convert(c, (int)i, c->args[i], t);

		if (!v || !same_elements(c, v, first))
			return NULL;
		first = first ? first : v;
		for (uint32_t j = 0; j < v->len; j++)
			vec_push(c->arena, &items, v->elems[j]);
	}
	return value_set(c->arena, first->type->elem, items.items, items.len);
}

const struct func func_setunion = {
	.name = "setunion",
	.description = "The set of all elements of all given sets.",
	.params =
		PARAMS({ "first_set", &type_set_dynamic, PARAM_DYNAMIC, NULL }),
	.variadic = PARAM("other_sets", &type_set_dynamic, PARAM_DYNAMIC, NULL),
	.result_type = set_type,
	.impl = do_setunion,
};

/* The type that the elements of argument i have in the product. */
static const struct type *factor_type(struct func_call *c, size_t i)
{
	const struct type *t = c->args[i]->type, *elem;

	if (t->kind == TYPE_SET || t->kind == TYPE_LIST)
		return t->elem;
	if (t->kind != TYPE_TUPLE)
		return func_fail_type(c, (int)i, "a set or a list is required");
	if (t->len == 0)
		return &type_dynamic;
	elem = unify(c->arena, t->elems, t->len);
	if (!elem)
		return func_fail_type(c, (int)i,
				      "all elements must be of the same type");
	return elem;
}

static const struct type *setproduct_type(struct func_call *c)
{
	const struct type **types;
	bool has_set = false;

	if (c->nargs < 2)
		return func_fail_type(c, -1,
				      "at least two arguments are required");
	types = arena_alloc(c->arena, c->nargs * sizeof(*types));
	for (size_t i = 0; i < c->nargs; i++) {
		types[i] = factor_type(c, i);
		if (!types[i])
			return NULL;
		has_set |= c->args[i]->type->kind == TYPE_SET;
	}
	return has_set ? type_set(type_tuple(types, c->nargs))
		       : type_list(type_tuple(types, c->nargs));
}

/* The upper bound of an unknown product's length that OpenTofu gives;
 * UINT64_MAX: no limit. */
static uint64_t product_limit(struct func_call *c)
{
	uint64_t limit = 1;

	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = c->args[i];
		uint64_t max = v->len;

		if (v->type->kind == TYPE_TUPLE)
			max = v->type->len;
		else if (!value_is_known(v) && v->refined)
			max = v->refined->len_max;
		else if (!func_length_known(v))
			max = UINT64_MAX;
		if (max > 1024 || limit * max > 2048)
			return UINT64_MAX;
		limit *= max;
	}
	return limit;
}

/* OpenTofu says so of every product whose upper bound is not zero. */
static bool product_has_elements(struct func_call *c)
{
	uint64_t min, max;

	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = c->args[i];

		if (v->type->kind == TYPE_TUPLE)
			min = v->type->len;
		else
			value_length_bounds(v, &min, &max);
		if (min == 0)
			return false;
	}
	return true;
}

static const struct value *unknown_product(struct func_call *c,
					   const struct type *t)
{
	uint64_t limit = product_limit(c);
	struct refinement r = { .not_null = true, .len_max = limit };

	if (limit == UINT64_MAX)
		return func_unknown(c, t);
	r.len_min = product_has_elements(c);
	return value_unknown_refined(c->arena, t, &r);
}

/* The i-th tuple, the last factor varying fastest; factors are the converted
 * elements of each argument. */
static const struct value *product_tuple(struct func_call *c,
					 const struct value **const *factors,
					 const uint32_t *lens, size_t i)
{
	const struct value **items =
		arena_alloc(c->arena, c->nargs * sizeof(*items));

	for (size_t j = c->nargs; j-- > 0;) {
		items[j] = factors[j][i % lens[j]];
		i /= lens[j];
	}
	return value_tuple(c->arena, items, c->nargs);
}

/* The elements of argument i, converted to the type they have in tuple t. */
static const struct value **factor_elements(struct func_call *c, size_t i,
					    const struct type *tuple)
{
	const struct value *v = c->args[i],
			   **items = arena_alloc(c->arena,
						 v->len * sizeof(*items));

	for (uint32_t j = 0; j < v->len; j++) {
		items[j] =
			func_convert(c, (int)i, v->elems[j], tuple->elems[i]);
		if (!items[j])
			return NULL;
	}
	return items;
}

static const struct value *known_product(struct func_call *c,
					 const struct type *t, size_t total)
{
	const struct value ***factors, **items;
	const struct type *elem;
	uint32_t *lens = ARENA_ARRAY(c->arena, uint32_t, c->nargs);

	factors = arena_alloc(c->arena, c->nargs * sizeof(*factors));
	for (size_t i = 0; total && i < c->nargs; i++) {
		lens[i] = c->args[i]->len;
		factors[i] = factor_elements(c, i, t->elem);
		if (!factors[i])
			return NULL;
	}
	items = arena_alloc(c->arena, total * sizeof(*items));
	for (size_t i = 0; i < total; i++) {
		items[i] = product_tuple(c, factors, lens, i);
		if (items[i]->type != items[0]->type)
			return func_fail(
				c, -1,
				"all elements of an argument must have the same type");
	}
	elem = total ? items[0]->type : t->elem;
	return t->kind == TYPE_LIST ? value_list(c->arena, elem, items, total)
				    : value_set(c->arena, elem, items, total);
}

static const struct value *do_setproduct(struct func_call *c)
{
	const struct type *t = setproduct_type(c);
	const struct marks *m = NULL;
	const struct value *r;
	size_t total = 1;
	bool known = true;

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = func_unmark(c, i, &m);

		known = known && value_is_known(v) && func_length_known(v);
		total *= known ? v->len : 1;
		if (total > 1 << 24)
			return func_fail(c, -1,
					 "the product has too many elements");
	}
	r = known ? known_product(c, t, total) : unknown_product(c, t);
	for (size_t i = 0; !known && i < c->nargs; i++)
		r = eval_still_ephemeral(c->eval, r, c->args[i]);
	return r ? value_with_marks(c->arena, r, m) : NULL;
}

const struct func func_setproduct = {
	.name = "setproduct",
	.description =
		"All combinations of one element of each of the given sets.",
	.params = NO_PARAMS,
	.variadic = PARAM("sets", &type_dynamic, PARAM_MARKED | PARAM_UNKNOWN,
			  "Sets, lists or tuples; the result is a set if any "
			  "of them is, else a list."),
	.result_type = setproduct_type,
	.impl = do_setproduct,
};
