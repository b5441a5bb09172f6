/*
 * set.c - sets: order and membership; see value.h
 *
 * Elements that are strings, numbers or bools sort by value; others by a
 * string of bytes that spells them out (value_hash_bytes), in which numbers
 * have ten digits, so that different elements can have equal bytes: those stay
 * in the order they came.  Unknown elements come after known ones, null last.
 * Nothing equals an unknown, so a set may hold several.
 */
#include <stdlib.h>

#include "value/set.h"
#include "base/map.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/string.h"

/* --- the bytes --- */

static void hash_elems(struct buf *b, const struct value *v, char open,
		       char close)
{
	buf_putc(b, open);
	for (uint32_t i = 0; i < v->len; i++) {
		if (v->type->kind == TYPE_MAP) {
			str_quote(b, v->keys[i]);
			buf_putc(b, ':');
		}
		value_hash_bytes(b, v->elems[i]);
		buf_putc(b, ';');
	}
	buf_putc(b, close);
}

void value_hash_bytes(struct buf *b, const struct value *v)
{
	if (v->state == VALUE_UNKNOWN) {
		buf_putc(b, '?');
		return;
	}
	if (v->state == VALUE_NULL) {
		buf_putc(b, '~');
		return;
	}
	switch (v->type->kind) {
	case TYPE_BOOL:
		buf_putc(b, v->boolean ? 'T' : 'F');
		break;
	case TYPE_NUMBER:
		number_text_short(b, v);
		break;
	case TYPE_STRING:
		str_quote(b, v->string);
		break;
	case TYPE_MAP:
		hash_elems(b, v, '{', '}');
		break;
	case TYPE_LIST:
	case TYPE_SET:
		hash_elems(b, v, '[', ']');
		break;
	default:
		hash_elems(b, v, '<', '>');
	}
}

/* --- order --- */

struct set_item {
	const struct value *v;
	struct str bytes; /* composite elements */
	size_t at;        /* place as given */
};

static int rank(const struct value *v)
{
	return v->state == VALUE_NULL ? 2 : v->state == VALUE_UNKNOWN;
}

static bool is_negative_zero(const struct value *n)
{
	return n->big && number_sign(n) == 0; /* else it would be inline */
}

/* -0 and 0 are equal, and yet two elements: what identifies an element is its
 * spelling first. */
static int number_order(const struct value *x, const struct value *y)
{
	int c = number_cmp(x, y);

	return c ? c : is_negative_zero(y) - is_negative_zero(x);
}

/* Two known elements of a primitive type. */
static int primitive_cmp(const struct value *x, const struct value *y)
{
	switch (x->type->kind) {
	case TYPE_STRING:
		return str_cmp(x->string, y->string);
	case TYPE_NUMBER:
		return number_order(x, y);
	default:
		return x->boolean - y->boolean;
	}
}

static int order(const struct set_item *p, const struct set_item *q)
{
	int r = rank(p->v) - rank(q->v);

	if (r || p->v->state != VALUE_KNOWN)
		return r;
	if (type_is_primitive(p->v->type))
		return primitive_cmp(p->v, q->v);
	return str_cmp(p->bytes, q->bytes);
}

static int item_cmp(const void *x, const void *y)
{
	const struct set_item *p = x, *q = y;
	int c = order(p, q);

	return c ? c : (p->at > q->at) - (p->at < q->at);
}

static struct str bytes_of(struct arena *a, struct buf *b,
			   const struct value *v)
{
	if (v->state != VALUE_KNOWN || type_is_primitive(v->type))
		return STR_NONE;
	buf_set_len(b, 0);
	value_hash_bytes(b, v);
	return buf_dup(a, b);
}

int value_set_cmp(const struct value *x, const struct value *y)
{
	struct arena scratch = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct set_item p = { x, bytes_of(&scratch, &b, x), 0 };
	struct set_item q = { y, bytes_of(&scratch, &b, y), 0 };
	int c = order(&p, &q);

	buf_release(&b);
	arena_release(&scratch);
	return c;
}

/* --- duplicates --- */

/* Elements with equal bytes mostly are equal; those that differ do so in the
 * later digits of numbers.  Looking for each among all before it would be
 * quadratic, so the next key has every digit. */
static void full_key(struct arena *a, struct buf *b, const struct value *v)
{
	if (v->state == VALUE_KNOWN && v->type == &type_number) {
		struct str s = value_number_text(a, v);

		buf_str(b, str_is(s, "-0") ? STR("0") : s);
		buf_putc(b, ';');
		return;
	}
	if (v->state != VALUE_KNOWN || v->type->kind < TYPE_LIST) {
		value_hash_bytes(b, v);
		return;
	}
	for (uint32_t i = 0; i < v->len; i++) {
		if (v->type->kind == TYPE_MAP)
			str_quote(b, v->keys[i]);
		full_key(a, b, v->elems[i]);
	}
	buf_putc(b, '.');
}

static bool equal_elems(const struct value *x, const struct value *y)
{
	return value_wholly_known(x) && value_wholly_known(y) &&
	       value_equal_unmarked(x, y);
}

/* Drops duplicates among items [from, to), whose order is equal; the first of
 * each stays.  Returns the new end of the output. */
static size_t distinct(struct set_item *items, size_t from, size_t to,
		       size_t out)
{
	struct arena scratch = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct map seen = { 0 };
	size_t start = out;

	for (size_t i = from; i < to; i++) {
		struct map_entry *e;

		if (out > start && equal_elems(items[out - 1].v, items[i].v))
			continue;
		if (value_wholly_known(items[i].v) && to - from > 2) {
			buf_set_len(&b, 0);
			full_key(&scratch, &b, items[i].v);
			e = map_slot(&scratch, &seen, buf_dup(&scratch, &b));
			if (e->value)
				continue;
			e->value = items;
		}
		items[out++] = items[i];
	}
	buf_release(&b);
	arena_release(&scratch);
	return out;
}

static size_t drop_duplicates(struct set_item *items, size_t n)
{
	size_t out = 0, to;

	for (size_t from = 0; from < n; from = to) {
		to = from + 1;
		while (to < n && order(&items[from], &items[to]) == 0)
			to++;
		if (to == from + 1)
			items[out++] = items[from];
		else
			out = distinct(items, from, to, out);
	}
	return out;
}

/* Numbers of unlike precision can be equal without comparing equal; such
 * neighbours are one element, the one that came first. */
static size_t join_numbers(struct set_item *items, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		if (out && equal_elems(items[out - 1].v, items[i].v) &&
		    number_sign(items[i].v)) {
			if (items[i].at < items[out - 1].at)
				items[out - 1] = items[i];
			continue;
		}
		items[out++] = items[i];
	}
	return out;
}

/* --- making --- */

static struct set_item *gather(struct arena *a, struct arena *scratch,
			       const struct value *const *elems, size_t n,
			       bool *sorted, const struct marks **marks)
{
	struct set_item *items = arena_alloc(scratch, n * sizeof(*items));
	struct buf b = BUF_INIT;

	*sorted = true;
	for (size_t i = 0; i < n; i++) {
		const struct marks *m = NULL;

		items[i].v = value_unmark_deep(a, elems[i], &m);
		items[i].bytes = bytes_of(scratch, &b, items[i].v);
		items[i].at = i;
		*marks = marks_union(a, *marks, m);
		if (i && order(&items[i - 1], &items[i]) >= 0)
			*sorted = false;
	}
	buf_release(&b);
	return items;
}

const struct value *value_set(struct arena *a, const struct type *elem,
			      const struct value *const *elems, size_t n)
{
	struct arena scratch = ARENA_INIT;
	const struct marks *marks = NULL;
	const struct value **kept;
	struct set_item *items;
	struct value *v;
	bool sorted;

	items = gather(a, &scratch, elems, n, &sorted, &marks);
	if (!sorted) {
		qsort(items, n, sizeof(*items), item_cmp);
		n = drop_duplicates(items, n);
	}
	if (elem == &type_number)
		n = join_numbers(items, n);
	kept = arena_alloc(a, n * sizeof(*kept));
	v = ARENA_NEW(a, struct value);
	v->type = type_set(type_without_optional(elem));
	v->len = (uint32_t)n;
	v->elems = kept;
	v->marks = marks;
	for (size_t i = 0; i < n; i++) {
		kept[i] = items[i].v;
		v->inner_unknown |= !value_wholly_known(kept[i]);
	}
	arena_release(&scratch);
	return v;
}

bool value_set_has(const struct value *s, const struct value *v)
{
	uint32_t lo = 0, hi = s->len;

	while (lo < hi) { /* the first that does not come before v */
		uint32_t mid = lo + (hi - lo) / 2;

		if (value_set_cmp(s->elems[mid], v) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->len && value_set_cmp(s->elems[lo], v) <= 0; lo++) {
		if (equal_elems(s->elems[lo], v))
			return true;
	}
	return false;
}
