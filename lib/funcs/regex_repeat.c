/*
 * regex_repeat.c - repetition in regular expressions: * + ? {n,m}
 */
#include <limits.h>

#include "funcs/regex_parse_int.h"

enum { REPEAT_MAX = 1000 };

/* A count; -1 if it is out of all proportion; false if there is none. */
static bool read_count(struct str s, size_t *i, int *n)
{
	size_t start = *i;

	*n = 0;
	while (*i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9') {
		if (*n >= 0)
			*n = *n * 10 + (s.p[*i] - '0');
		if (*n > 100000000)
			*n = -1;
		++*i;
	}
	return *i > start && !(s.p[start] == '0' && *i > start + 1);
}

/* {n}, {n,} or {n,m}: its length, or 0 if the brace means itself. */
static size_t read_braces(struct str s, int *min, int *max)
{
	size_t i = 1;

	if (!read_count(s, &i, min))
		return 0;
	*max = *min;
	if (i < s.n && s.p[i] == ',') {
		i++;
		if (i < s.n && s.p[i] == '}')
			*max = INT_MAX;
		else if (!read_count(s, &i, max))
			return 0;
	}
	return i < s.n && s.p[i] == '}' ? i + 1 : 0;
}

/* Do the counts of nested repetitions multiply to no more than n? */
static bool counts_within(const struct re *re, int n)
{
	if (re->kind == RE_REPEAT && re->counted) {
		int m = re->max < 0 ? re->min : re->max;

		if (re->max == 0)
			return true;
		if (m > n)
			return false;
		if (m > 0)
			n /= m;
	}
	for (size_t i = 0; i < re->nsub; i++) {
		if (!counts_within(re->sub[i], n))
			return false;
	}
	return true;
}

/* The repetition operator at p->s: its length, or 0. */
static size_t operator_at(struct re_parser *p, int *min, int *max)
{
	*min = 0;
	*max = -1;
	switch (re_peek(p, 0)) {
	case '+':
		*min = 1;
		return 1;
	case '?':
		*max = 1;
		return 1;
	case '*':
		return p->s.n > 0;
	case '{':
		return read_braces(p->s, min, max);
	default:
		return 0;
	}
}

/* Applies the operator of n bytes at p->s to the last item. */
static int apply(struct re_parser *p, struct re_vec *items, size_t n, int min,
		  int max, struct str *last)
{
	struct str op = p->s;
	bool counted = op.p[0] == '{', lazy = p->flags & LAZY;
	struct re *re = re_node(p, RE_REPEAT);

	if (counted && (min < 0 || min > REPEAT_MAX ||
			(max != INT_MAX &&
			 (max < 0 || max > REPEAT_MAX || min > max)))) {
		re_fail(p, "invalid repeat count", str_sub(op, 0, n));
		return -1;
	}
	re_skip(p, n);
	if (re_peek(p, 0) == '?') {
		re_skip(p, 1);
		lazy = !lazy;
	}
	if (last->p) {
		re_fail(p, "invalid nested repetition operator",
		     str_sub(*last, 0, last->n - p->s.n));
		return -1;
	}
	*last = op;
	op = str_sub(op, 0, op.n - p->s.n);
	if (items->len == 0) {
		re_fail(p, "missing argument to repetition operator", op);
		return -1;
	}
	re->sub = arena_dup(p->a, &items->items[items->len - 1],
			    sizeof(*re->sub));
	re->nsub = 1;
	re->min = min;
	re->max = max == INT_MAX ? -1 : max;
	re->counted = counted;
	re->lazy = lazy;
	items->items[items->len - 1] = re;
	if (!counted || (min < 2 && max < 2) || counts_within(re, REPEAT_MAX))
		return 0;
	re_fail(p, "invalid repeat count", op);
	return -1;
}

int re_repetition(struct re_parser *p, struct re_vec *items, struct str *last)
{
	int min, max;
	size_t n = operator_at(p, &min, &max);

	if (n == 0)
		return 0;
	return apply(p, items, n, min, max, last) ? -1 : 1;
}
