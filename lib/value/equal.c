/*
 * equal.c - the three equalities; see value.h
 *
 * value_identical and value_equal_unmarked walk two values of one type side by
 * side.  value_equals is the language's operator: a null equals any null,
 * something unknown makes the result unknown unless what is known decides it.
 */
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/value_int.h"

static bool same_number(const struct value *x, const struct value *y)
{
	if (!x || !y)
		return x == y;
	return number_equal(x, y);
}

static bool same_refinement(const struct value *x, const struct value *y)
{
	const struct refinement *r = value_refinement(x);
	const struct refinement *s = value_refinement(y);

	return r == s ||
	       (r->not_null == s->not_null && str_eq(r->prefix, s->prefix) &&
		same_number(r->min, s->min) && same_number(r->max, s->max) &&
		r->min_inclusive == s->min_inclusive &&
		r->max_inclusive == s->max_inclusive &&
		r->len_min == s->len_min && r->len_max == s->len_max);
}

static bool same_marks(const struct marks *x, const struct marks *y)
{
	uint32_t n = y ? y->ndeprecations : 0;

	if (x == y)
		return true;
	if ((x ? x->bits : 0) != (y ? y->bits : 0) ||
	    (x ? x->ndeprecations : 0) != n)
		return false;
	for (uint32_t i = 0, k; i < n; i++) {
		for (k = 0; k < n; k++) {
			if (str_eq(x->deprecations[k].by,
				   y->deprecations[i].by) &&
			    str_eq(x->deprecations[k].message,
				   y->deprecations[i].message))
				break;
		}
		if (k == n)
			return false;
	}
	return true;
}

static bool same(const struct value *x, const struct value *y, bool marks);

static bool same_elems(const struct value *x, const struct value *y, bool marks)
{
	if (x->len != y->len)
		return false;
	if (x->elems == y->elems)
		return true;
	for (uint32_t i = 0; i < x->len; i++) {
		if (x->type->kind == TYPE_MAP &&
		    !str_eq(x->keys[i], y->keys[i]))
			return false;
		if (!same(x->elems[i], y->elems[i], marks))
			return false;
	}
	return true;
}

static bool same(const struct value *x, const struct value *y, bool marks)
{
	if (x == y)
		return true;
	if (x->type != y->type || x->state != y->state ||
	    (marks && !same_marks(x->marks, y->marks)))
		return false;
	if (x->state == VALUE_NULL)
		return true;
	if (x->state == VALUE_UNKNOWN)
		return same_refinement(x, y);
	switch (x->type->kind) {
	case TYPE_BOOL:
		return x->boolean == y->boolean;
	case TYPE_NUMBER:
		return number_equal(x, y);
	case TYPE_STRING:
		return str_eq(x->string, y->string);
	default:
		return same_elems(x, y, marks);
	}
}

bool value_identical(const struct value *a, const struct value *b)
{
	return same(a, b, true);
}

bool value_equal_unmarked(const struct value *a, const struct value *b)
{
	return same(a, b, false);
}

/* --- the language's == --- */

enum answer { NO, YES, OPEN };

static enum answer equals(const struct value *x, const struct value *y);

/* x is known, y is not. */
static enum answer known_and_unknown(const struct value *x,
				     const struct value *y)
{
	if (value_range_excludes(y, x))
		return NO;
	if (x->state == VALUE_NULL || y->type->has_dynamic)
		return OPEN;
	return x->type == y->type ? OPEN : NO;
}

/* In order: the first pair that differs or is open decides. */
static enum answer sequences(const struct value *x, const struct value *y)
{
	if (x->len != y->len)
		return NO;
	for (uint32_t i = 0; i < x->len; i++) {
		enum answer e = equals(x->elems[i], y->elems[i]);

		if (e != YES)
			return e;
	}
	return YES;
}

/* Without order: any pair that differs decides. */
static enum answer mappings(const struct value *x, const struct value *y)
{
	enum answer result = YES;

	if (x->len != y->len)
		return NO;
	for (uint32_t i = 0; i < x->len; i++) {
		enum answer e;

		if (x->type->kind == TYPE_MAP &&
		    !str_eq(x->keys[i], y->keys[i]))
			return NO;
		e = equals(x->elems[i], y->elems[i]);
		if (e == NO)
			return NO;
		if (e == OPEN)
			result = OPEN;
	}
	return result;
}

static bool has_unknown_element(const struct value *v)
{
	for (uint32_t i = 0; v->inner_unknown && i < v->len; i++) {
		if (v->elems[i]->state == VALUE_UNKNOWN)
			return true;
	}
	return false;
}

static enum answer sets(const struct value *x, const struct value *y)
{
	if (has_unknown_element(x) || has_unknown_element(y))
		return OPEN;
	if (x->inner_unknown || y->inner_unknown)
		return NO; /* what holds an unknown equals no other element */
	return same_elems(x, y, false) ? YES : NO;
}

static enum answer equals(const struct value *x, const struct value *y)
{
	if ((x->state == VALUE_NULL && value_definitely_not_null(y)) ||
	    (y->state == VALUE_NULL && value_definitely_not_null(x)))
		return NO;
	if (x->state == VALUE_UNKNOWN && y->state == VALUE_UNKNOWN)
		return OPEN;
	if (y->state == VALUE_UNKNOWN)
		return known_and_unknown(x, y);
	if (x->state == VALUE_UNKNOWN)
		return known_and_unknown(y, x);
	if (x->state == VALUE_NULL) /* then both are: the rest went above */
		return YES;
	if (!value_type_wholly_known(x) || !value_type_wholly_known(y))
		return !type_conforms(x->type, y->type) &&
				       !type_conforms(y->type, x->type)
			       ? NO
			       : OPEN;
	if (x->type != y->type)
		return NO;
	if (!x->inner_unknown && !y->inner_unknown)
		return same(x, y, false) ? YES : NO;
	switch (x->type->kind) {
	case TYPE_LIST:
	case TYPE_TUPLE:
		return sequences(x, y);
	case TYPE_SET:
		return sets(x, y);
	default:
		return mappings(x, y);
	}
}

const struct value *value_equals(struct arena *a, const struct value *x,
				 const struct value *y)
{
	const struct marks *m = NULL, *n = NULL;
	const struct value *v;
	enum answer e;

	if ((x->state == VALUE_NULL) != (y->state == VALUE_NULL)) {
		/* The contents are not compared: their marks do not count. */
		m = x->marks;
		n = y->marks;
	} else {
		value_unmark_deep(a, x, &m);
		value_unmark_deep(a, y, &n);
	}
	e = equals(x, y);
	v = e == OPEN ? &value_unknown_bool : value_bool(e == YES);
	return value_with_marks(a, v, marks_union(a, m, n));
}
