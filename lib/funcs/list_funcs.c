/*
 * list_funcs.c - chunklist, compact, concat, distinct, element, flatten, one,
 * reverse, slice
 */
#include <stdlib.h>

#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/set.h"
#include "value/type.h"
#include "value/convert.h"

static const struct type *chunklist_type(struct func_call *c)
{
	return type_list(c->args[0]->type);
}

static const struct value *do_chunklist(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *list = func_unmark(c, 0, &m),
			   *size = func_unmark(c, 1, &m), *r;
	struct value_vec chunks = { 0 };
	int64_t n;

	if (!value_get_int(size, &n))
		return func_fail(c, -1, "invalid size: " WHOLE_NUMBER);
	if (n < 0)
		return func_fail(c, -1, "the size argument must be positive");
	if (n == 0 && list->len > 0)
		vec_push(c->arena, &chunks, list);
	for (uint32_t i = 0; n > 0 && i < list->len;) {
		uint32_t left = list->len - i;
		uint32_t len = n < left ? (uint32_t)n : left;

		vec_push(c->arena, &chunks,
			 value_list(c->arena, list->type->elem, list->elems + i,
				    len));
		i += len;
	}
	r = value_list(c->arena, list->type, chunks.items, chunks.len);
	return value_with_marks(c->arena, r, m);
}

const struct func func_chunklist = {
	.name = "chunklist",
	.description = "The elements of a list in lists of a fixed size.",
	.params = PARAMS(
		{ "list", &type_list_dynamic, PARAM_MARKED, NULL },
		{ "size", &type_number, PARAM_MARKED,
		  "How many elements a chunk has at most; the last one may have fewer." }),
	.result_type = chunklist_type,
	.impl = do_chunklist,
};

static const struct value *do_compact(struct func_call *c)
{
	const struct value *list = c->args[0];
	struct value_vec kept = { 0 };

	if (!value_wholly_known(list))
		return func_unknown(c, list->type);
	for (uint32_t i = 0; i < list->len; i++) {
		const struct value *v = list->elems[i];

		if (!value_is_null(v) && v->string.n > 0)
			vec_push(c->arena, &kept, v);
	}
	return value_list(c->arena, &type_string, kept.items, kept.len);
}

const struct func func_compact = {
	.name = "compact",
	.description = "The strings of a list that are not empty or null.",
	.params = PARAMS({ "list", &type_list_string, 0, NULL }),
	.result = &type_list_string,
	.impl = do_compact,
};

struct type_vec VEC_OF(const struct type *);

/* The list type that all arguments, if they are lists, can have; or NULL. */
static const struct type *concat_list_type(struct func_call *c)
{
	struct type_vec types = { 0 };

	for (size_t i = 0; i < c->nargs; i++) {
		if (c->args[i]->type->kind != TYPE_LIST)
			return NULL;
		vec_push(c->arena, &types, c->args[i]->type);
	}
	return unify(c->arena, types.items, types.len);
}

static const struct type *concat_type(struct func_call *c)
{
	const struct type *t;
	struct type_vec types = { 0 };

	if (c->nargs == 0)
		return func_fail_type(c, -1,
				      "at least one argument is required");
	t = concat_list_type(c);
	if (t)
		return t;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = c->args[i];

		t = v->type;
		if (t->kind != TYPE_TUPLE && t->kind != TYPE_LIST)
			return func_fail_type(
				c, (int)i,
				"all arguments must be lists or tuples; got %.*s",
				STR_ARG(type_friendly(c->arena, t)));
		if (t->kind == TYPE_LIST && !value_is_known(v))
			return &type_dynamic;
		for (uint32_t j = 0; t->kind == TYPE_TUPLE && j < t->len; j++)
			vec_push(c->arena, &types, t->elems[j]);
		for (uint32_t j = 0; t->kind == TYPE_LIST && j < v->len; j++)
			vec_push(c->arena, &types, t->elem);
	}
	return type_tuple(types.items, types.len);
}

static const struct value *do_concat(struct func_call *c)
{
	const struct type *t = concat_type(c);
	const struct marks *m = NULL;
	struct value_vec items = { 0 };
	const struct value *r;

	if (!t)
		return NULL;
	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = func_unmark(c, i, &m);

		if (t->kind == TYPE_LIST)
			v = func_convert(c, (int)i, v, t);
		if (!v)
			return NULL;
		for (uint32_t j = 0; j < v->len; j++)
			vec_push(c->arena, &items, v->elems[j]);
	}
	if (t->kind == TYPE_LIST)
		r = value_list(c->arena, t->elem, items.items, items.len);
	else
		r = value_tuple(c->arena, items.items, items.len);
	return value_with_marks(c->arena, r, m);
}

const struct func func_concat = {
	.name = "concat",
	.description = "One list of the elements of all given lists.",
	.params = NO_PARAMS,
	.variadic = PARAM("seqs", &type_dynamic, PARAM_MARKED, NULL),
	.result_type = concat_type,
	.impl = do_concat,
};

struct ranked {
	const struct value *v;
	uint32_t at;
};

static int compare_ranked(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int order = value_set_cmp(a->v, b->v);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static const struct type *same_type(struct func_call *c)
{
	return c->args[0]->type;
}

/* Sorted by value, duplicates are adjacent, the first one first. */
static const struct value *do_distinct(struct func_call *c)
{
	const struct value *list = c->args[0];
	struct value_vec kept = { 0 };
	struct ranked *r;
	bool *dup;

	if (!value_wholly_known(list))
		return func_unknown(c, list->type);
	r = arena_alloc(c->arena, list->len * sizeof(*r));
	dup = arena_alloc0(c->arena, list->len);
	for (uint32_t i = 0; i < list->len; i++)
		r[i] = (struct ranked){ list->elems[i], i };
	if (list->len)
		qsort(r, list->len, sizeof(*r), compare_ranked);
	for (uint32_t i = 1; i < list->len; i++)
		dup[r[i].at] = value_set_cmp(r[i - 1].v, r[i].v) == 0;
	for (uint32_t i = 0; i < list->len; i++) {
		if (!dup[i])
			vec_push(c->arena, &kept, list->elems[i]);
	}
	return value_list(c->arena, list->type->elem, kept.items, kept.len);
}

const struct func func_distinct = {
	.name = "distinct",
	.description = "The elements of a list without repetitions.",
	.params = PARAMS({ "list", &type_list_dynamic, 0, NULL }),
	.result_type = same_type,
	.impl = do_distinct,
};

/* n as an index into len elements, counted around; -1 with the call failed. */
static int wrapped_index(struct func_call *c, uint32_t len, uint32_t *out)
{
	int64_t n;

	if (!value_get_int(c->args[1], &n)) {
		func_fail(c, -1, "invalid index: " WHOLE_NUMBER);
		return -1;
	}
	if (len == 0) {
		func_fail(c, -1,
			  "cannot use element function with an empty list");
		return -1;
	}
	n %= len;
	*out = (uint32_t)(n < 0 ? n + len : n);
	return 0;
}

static const struct type *element_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;
	uint32_t i;

	if (t->kind == TYPE_LIST)
		return t->elem;
	if (t->kind != TYPE_TUPLE)
		return func_fail_type(c, -1, "cannot read elements from %.*s",
				      STR_ARG(type_friendly(c->arena, t)));
	if (!value_is_known(c->args[1]))
		return &type_dynamic;
	return wrapped_index(c, t->len, &i) ? NULL : t->elems[i];
}

static const struct value *do_element(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *list = func_unmark(c, 0, &m);
	uint32_t i;

	if (!element_type(c) || wrapped_index(c, list->len, &i))
		return NULL;
	return value_with_marks(c->arena, list->elems[i], m);
}

const struct func func_element = {
	.name = "element",
	.description =
		"One element of a list; an index beyond the end goes on at the start.",
	.params = PARAMS({ "list", &type_dynamic, PARAM_MARKED, NULL },
			 { "index", &type_number, 0, NULL }),
	.result_type = element_type,
	.impl = do_element,
	.flags = FUNC_NULLABLE,
};

struct flat {
	struct value_vec items;
	const struct marks *marks; /* of all sequences taken apart */
	bool known;
};

/* Values nest no deeper than the parsers that made them allow. */
static void flatten_into(struct func_call *c, const struct value *seq,
			 struct flat *f)
{
	const struct marks *own;

	seq = value_unmark(c->arena, seq, &own);
	f->marks = marks_union(c->arena, f->marks, own);
	if (!value_is_known(seq) ||
	    (seq->type->kind == TYPE_SET && !func_length_known(seq))) {
		f->known = false;
		return;
	}
	for (uint32_t i = 0; i < seq->len; i++) {
		const struct value *v = seq->elems[i];

		if (is_sequence(v->type) && !value_is_null(v)) {
			flatten_into(c, v, f);
			continue;
		}
		if (!value_is_known(v) && v->type == &type_dynamic && !v->marks)
			f->known = false;
		vec_push(c->arena, &f->items, v);
	}
}

/* Until all is known a sequence may still turn up anywhere. */
static const struct type *flatten_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;

	if (!value_wholly_known(c->args[0]))
		return &type_dynamic;
	if (!is_sequence(t))
		return func_fail_type(
			c, -1, "can only flatten lists, sets and tuples");
	return t;
}

static const struct value *do_flatten(struct func_call *c)
{
	struct flat f = { .known = true };
	const struct value *r;

	if (!flatten_type(c))
		return NULL;
	flatten_into(c, c->args[0], &f);
	if (f.known)
		r = value_tuple(c->arena, f.items.items, f.items.len);
	else
		r = &value_unknown_dynamic;
	return value_with_marks(c->arena, r, f.marks);
}

const struct func func_flatten = {
	.name = "flatten",
	.description = "The elements of a list, with those that are lists "
		       "replaced by theirs, at any depth.",
	.params = PARAMS({ "list", &type_dynamic, PARAM_MARKED, NULL }),
	.result_type = flatten_type,
	.impl = do_flatten,
};

#define ONE_NEEDS \
	"must be a list, set, or tuple value with either zero or one elements"

static const struct type *one_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;

	if (t->kind == TYPE_LIST || t->kind == TYPE_SET)
		return t->elem;
	if (t->kind == TYPE_TUPLE && t->len <= 1)
		return t->len ? t->elems[0] : &type_dynamic;
	return func_fail_type(c, 0, ONE_NEEDS);
}

static const struct value *do_one(struct func_call *c)
{
	const struct type *t = one_type(c);
	const struct value *v = c->args[0];

	if (!t)
		return NULL;
	if (!func_length_known(v))
		return value_unknown(c->arena, t);
	if (v->len > 1)
		return func_fail(c, 0, ONE_NEEDS);
	return v->len ? v->elems[0] : value_null(c->arena, t);
}

const struct func func_one = {
	.name = "one",
	.description =
		"The element of a collection of one, or null for an empty one.",
	.params = PARAMS({ "list", &type_dynamic, 0, NULL }),
	.result_type = one_type,
	.impl = do_one,
	.flags = FUNC_NULLABLE,
};

static const struct type *reverse_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type, **types;

	if (t->kind == TYPE_LIST || t->kind == TYPE_SET)
		return type_list(t->elem);
	if (t->kind != TYPE_TUPLE)
		return func_fail_type(
			c, 0, "can only reverse list or tuple values, not %.*s",
			STR_ARG(type_friendly(c->arena, t)));
	types = arena_alloc(c->arena, t->len * sizeof(*types));
	for (uint32_t i = 0; i < t->len; i++)
		types[i] = t->elems[t->len - 1 - i];
	return type_tuple(types, t->len);
}

static const struct value *do_reverse(struct func_call *c)
{
	const struct type *t = reverse_type(c);
	const struct marks *m = NULL;
	const struct value *v, **items, *r;

	if (!t)
		return NULL;
	v = func_unmark(c, 0, &m);
	items = arena_alloc(c->arena, v->len * sizeof(*items));
	for (uint32_t i = 0; i < v->len; i++)
		items[i] = v->elems[v->len - 1 - i];
	if (t->kind == TYPE_TUPLE)
		r = value_tuple(c->arena, items, v->len);
	else
		r = value_list(c->arena, t->elem, items, v->len);
	return value_with_marks(c->arena, r, m);
}

const struct func func_reverse = {
	.name = "reverse",
	.description = "The elements of a sequence in reverse order.",
	.params = PARAMS({ "list", &type_dynamic, PARAM_MARKED, NULL }),
	.result_type = reverse_type,
	.impl = do_reverse,
};
