/*
 * regex_repeat.c - repetition in regular expressions: * + ? {n,m}
 */
#include <limits.h>

#include "funcs/regex/regex_int.h"

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

/* --- writing --- */

/* Puts text before an item. */
static void insert(struct re_parser *p, const struct re_item *item,
		   const char *text)
{
	struct buf *b = &p->text->out;
	size_t n = strlen(text);

	buf_grow(b, n);
	memmove(b->p + item->start + n, b->p + item->start,
		b->len - item->start + 1);
	memcpy(b->p + item->start, text, n);
	b->len += n;
}

/* X* and X+ where X can match nothing, the first as the second at most once;
 * see regex_int.h.  The groups that a callout uses are set at the end. */
static void write_rounds(struct re_parser *p, const struct re_item *item,
			 int min, bool lazy)
{
	struct buf *b = &p->text->out;

	insert(p, item, "(?:()(?:()(?:");
	buf_addf(b, ")(?C))+%s)", lazy ? "?" : "");
	if (min == 0)
		buf_puts(b, lazy ? "??" : "?");
}

static void write_repeat(struct re_parser *p, const struct re_item *item,
			 int min, int max, bool lazy)
{
	struct buf *b = &p->text->out;

	if (max < 0 && min < 2 && item->nullable) {
		write_rounds(p, item, min, lazy);
		return;
	}
	insert(p, item, "(?:");
	if (max < 0)
		buf_addf(b, "){%d,}", min);
	else
		buf_addf(b, "){%d,%d}", min, max);
	if (lazy)
		buf_putc(b, '?');
}

/* --- reading --- */

/* Applies the operator of n bytes at p->s to the last item. */
static int apply(struct re_parser *p, struct re_item *item, size_t n, int min,
		 int max, struct str *last)
{
	struct str op = p->s;
	bool counted = op.p[0] == '{', lazy = p->flags & LAZY;
	int times;

	if (counted &&
	    (min < 0 || min > REPEAT_MAX ||
	     (max != INT_MAX && (max < 0 || max > REPEAT_MAX || min > max))))
		return regex_fail(p, "invalid repeat count", str_sub(op, 0, n));
	re_skip(p, n);
	if (re_peek(p, 0) == '?') {
		re_skip(p, 1);
		lazy = !lazy;
	}
	if (last->p)
		return regex_fail(p, "invalid nested repetition operator",
				  str_sub(*last, 0, last->n - p->s.n));
	*last = op;
	op = str_sub(op, 0, op.n - p->s.n);
	if (!item)
		return regex_fail(p, "missing argument to repetition operator",
				  op);
	if (max == INT_MAX)
		max = -1;
	write_repeat(p, item, min, max, lazy);
	item->nullable |= min == 0;
	times = max < 0 ? min : max;
	if (max == 0)
		item->weight = 1;
	else if (counted && times > 1)
		item->weight *= times;
	if (counted && times > 1 && item->weight > REPEAT_MAX)
		return regex_fail(p, "invalid repeat count", op);
	return 0;
}

int regex_repetition(struct re_parser *p, struct re_item *item,
		     struct str *last)
{
	int min, max;
	size_t n = operator_at(p, &min, &max);

	if (n == 0)
		return 0;
	return apply(p, item, n, min, max, last) ? -1 : 1;
}
