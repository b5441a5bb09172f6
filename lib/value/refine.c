/*
 * refine.c - refinements: what is known of unknown values; see value.h
 */
#include "value/refine.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/value_int.h"
#include "value/set.h"

const struct refinement refinement_none = { .len_max = UINT64_MAX };
static const struct refinement not_null = { .not_null = true,
					    .len_max = UINT64_MAX };
const struct value value_unknown_bool = { .type = &type_bool,
					  .state = VALUE_UNKNOWN,
					  .refined = &not_null };

/* A list is made of unknowns only up to this length; beyond, the bounds express
 * the same and cost nothing. */
enum { LONGEST_EXPANDED = 1024 };

const struct refinement *value_refinement(const struct value *v)
{
	if (v->state == VALUE_UNKNOWN && v->refined)
		return v->refined;
	return &refinement_none;
}

static bool says_nothing(const struct type *t, const struct refinement *r)
{
	if (t->kind == TYPE_DYNAMIC)
		return true;
	if (r->not_null)
		return false;
	if (t->kind == TYPE_STRING)
		return !r->prefix.n;
	if (t->kind == TYPE_NUMBER)
		return !r->min && !r->max;
	if (type_is_collection(t))
		return !r->len_min && r->len_max == UINT64_MAX;
	return true;
}

/* Only what applies to type t, so that equal refinements have equal fields. */
static struct refinement applicable(const struct type *t,
				    const struct refinement *r)
{
	struct refinement c = refinement_none;

	c.not_null = r->not_null;
	if (t->kind == TYPE_STRING) {
		c.prefix = r->prefix;
	} else if (t->kind == TYPE_NUMBER) {
		c.min = r->min;
		c.max = r->max;
		c.min_inclusive = r->min && r->min_inclusive;
		c.max_inclusive = r->max && r->max_inclusive;
	} else if (type_is_collection(t)) {
		c.len_min = r->len_min;
		c.len_max = r->len_max;
	}
	return c;
}

/* n unknown elements. */
static const struct value *list_of_unknowns(struct arena *a,
					    const struct type *elem, size_t n)
{
	const struct value **elems = arena_alloc(a, n * sizeof(*elems));
	const struct value *unknown = value_unknown(a, elem);

	for (size_t i = 0; i < n; i++)
		elems[i] = unknown;
	return value_list(a, elem, elems, n);
}

/* The value that a length leaves, or NULL. */
static const struct value *of_length(struct arena *a, const struct type *t,
				     uint64_t n)
{
	const struct value *unknown;

	if (n == 0) {
		if (t->kind == TYPE_LIST)
			return value_list(a, t->elem, NULL, 0);
		if (t->kind == TYPE_SET)
			return value_set(a, t->elem, NULL, 0);
		return value_map(a, t->elem, NULL, NULL, 0);
	}
	if (t->kind == TYPE_LIST && n <= LONGEST_EXPANDED)
		return list_of_unknowns(a, t->elem, (size_t)n);
	if (t->kind == TYPE_SET && n == 1) {
		unknown = value_unknown(a, t->elem);
		return value_set(a, t->elem, &unknown, 1);
	}
	return NULL;
}

static const struct value *only_value(struct arena *a, const struct type *t,
				      const struct refinement *r)
{
	if (!r->not_null)
		return NULL;
	if (t->kind == TYPE_NUMBER && r->min && r->max && r->min_inclusive &&
	    r->max_inclusive && number_equal(r->min, r->max))
		return r->min;
	if (type_is_collection(t) && r->len_min == r->len_max)
		return of_length(a, t, r->len_min);
	return NULL;
}

const struct value *value_unknown_refined(struct arena *a, const struct type *t,
					  const struct refinement *r)
{
	const struct value *only;
	struct refinement c;
	struct value *v;

	t = type_without_optional(t);
	if (says_nothing(t, r))
		return value_unknown(a, t);
	c = applicable(t, r);
	only = only_value(a, t, &c);
	if (only)
		return only;
	v = ARENA_NEW(a, struct value);
	v->type = t;
	v->state = VALUE_UNKNOWN;
	v->refined = arena_dup(a, &c, sizeof(c));
	return v;
}

const struct value *value_refine_not_null(struct arena *a,
					  const struct value *v)
{
	struct refinement r;

	if (v->state != VALUE_UNKNOWN || v->type == &type_dynamic ||
	    (v->refined && v->refined->not_null))
		return v;
	r = *value_refinement(v);
	r.not_null = true;
	return value_with_marks(a, value_unknown_refined(a, v->type, &r),
				v->marks);
}

bool value_definitely_not_null(const struct value *v)
{
	if (v->state == VALUE_UNKNOWN)
		return value_refinement(v)->not_null;
	return v->state == VALUE_KNOWN;
}

/* --- lengths --- */

static bool is_set_of_some_unknowns(const struct value *v)
{
	return v->type->kind == TYPE_SET && v->inner_unknown && v->len > 1;
}

void value_length_bounds(const struct value *v, uint64_t *lo, uint64_t *hi)
{
	if (v->state == VALUE_UNKNOWN) {
		*lo = value_refinement(v)->len_min;
		*hi = value_refinement(v)->len_max;
		return;
	}
	*hi = v->len;
	*lo = is_set_of_some_unknowns(v) ? 1 : v->len;
}

const struct value *value_length(struct arena *a, const struct value *v)
{
	struct refinement r = not_null;
	const struct value *n;
	uint64_t lo, hi;

	if (v->type->kind == TYPE_TUPLE || v->type->kind == TYPE_OBJECT) {
		n = value_int(a, v->type->len);
		return value_with_marks(a, n, v->marks);
	}
	if (v->type->kind == TYPE_DYNAMIC)
		return value_with_marks(
			a, value_unknown_refined(a, &type_number, &r),
			v->marks);
	value_length_bounds(v, &lo, &hi);
	if (hi > INT64_MAX)
		hi = INT64_MAX;
	r.min = value_int(a, (int64_t)lo);
	r.max = value_int(a, (int64_t)hi);
	r.min_inclusive = r.max_inclusive = true;
	n = value_unknown_refined(a, &type_number, &r);
	return value_with_marks(a, n, v->marks);
}

/* --- ranges --- */

static bool number_outside(const struct refinement *r, const struct value *v)
{
	int c;

	if (r->min) {
		c = number_cmp(v, r->min);
		if (c < 0 && !number_equal(v, r->min))
			return true;
		if (!r->min_inclusive && c <= 0)
			return true;
	}
	if (r->max) {
		c = number_cmp(v, r->max);
		if (c > 0 && !number_equal(v, r->max))
			return true;
		if (!r->max_inclusive && c >= 0)
			return true;
	}
	return false;
}

bool value_range_excludes(const struct value *u, const struct value *v)
{
	const struct refinement *r = value_refinement(u);
	uint64_t lo, hi;

	if (v->state == VALUE_NULL)
		return r->not_null;
	if (!type_conforms(v->type, u->type))
		return true;
	if (v->state == VALUE_UNKNOWN || u->type == &type_dynamic)
		return false;
	if (u->type == &type_string)
		return v->string.n < r->prefix.n ||
		       (r->prefix.n &&
			memcmp(v->string.p, r->prefix.p, r->prefix.n) != 0);
	if (u->type == &type_number)
		return number_outside(r, v);
	if (!type_is_collection(u->type))
		return false;
	value_length_bounds(v, &lo, &hi);
	return hi < r->len_min || lo > r->len_max;
}
