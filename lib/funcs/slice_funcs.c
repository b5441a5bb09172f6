/*
 * slice_funcs.c - slice
 */
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/number.h"

struct bounds {
	int64_t start, end;
	bool known; /* both */
};

/* Reads one index; -1 with the call failed. len is -1 while unknown. */
static int read_bound(struct func_call *c, size_t i, const char *name,
		      int64_t len, int64_t *out)
{
	if (!value_get_int(c->args[i], out)) {
		func_fail(c, (int)i, "invalid %s index: " WHOLE_NUMBER, name);
		return -1;
	}
	if (*out < 0) {
		func_fail(c, (int)i, "%s index must not be less than zero",
			  name);
		return -1;
	}
	if (len >= 0 && *out > len) {
		func_fail(
			c, (int)i,
			"%s index must not be greater than the length of the list",
			name);
		return -1;
	}
	return 0;
}

static int read_bounds(struct func_call *c, struct bounds *b)
{
	const struct value *list = c->args[0];
	int64_t len = list->type->kind == TYPE_TUPLE ? list->type->len
		      : value_usable(list)           ? (int64_t)list->len
						     : -1;
	bool start = value_is_known(c->args[1]),
	     end = value_is_known(c->args[2]);

	if ((start && read_bound(c, 1, "start", len, &b->start)) ||
	    (end && read_bound(c, 2, "end", len, &b->end)))
		return -1;
	b->known = start && end;
	if (b->known && b->start > b->end) {
		func_fail(c, 1,
			  "start index must not be greater than end index");
		return -1;
	}
	return 0;
}

static const struct type *slice_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;
	struct bounds b = { 0 };

	if (t->kind == TYPE_SET)
		return func_fail_type(c, 0,
				      "cannot slice a set, because its "
				      "elements do not have indices; "
				      "explicitly convert to a list if the "
				      "ordering of the result is not "
				      "important");
	if (t->kind != TYPE_LIST && t->kind != TYPE_TUPLE)
		return func_fail_type(c, 0, "must be a list or tuple value");
	if (read_bounds(c, &b))
		return NULL;
	if (t->kind == TYPE_LIST)
		return t;
	return b.known ? type_tuple(t->elems + b.start,
				    (size_t)(b.end - b.start))
		       : &type_dynamic;
}

static const struct value *do_slice(struct func_call *c)
{
	const struct type *t = slice_type(c);
	const struct marks *m = NULL;
	struct bounds b = { 0 };
	const struct value *v, *r;
	size_t n;

	if (!t || read_bounds(c, &b))
		return NULL;
	v = func_unmark(c, 0, &m);
	n = (size_t)(b.end - b.start);
	if (t->kind == TYPE_TUPLE)
		r = value_tuple(c->arena, v->elems + b.start, n);
	else
		r = value_list(c->arena, t->elem, v->elems + b.start, n);
	return value_with_marks(c->arena, r, m);
}

const struct func func_slice = {
	.name = "slice",
	.description = "The elements of a list from a start index up to, not "
		       "including, an end index.",
	.params = PARAMS({ "list", &type_dynamic, PARAM_MARKED, NULL },
			 { "start_index", &type_number, 0, NULL },
			 { "end_index", &type_number, 0, NULL }),
	.result_type = slice_type,
	.impl = do_slice,
};
