/*
 * path.c - paths into values; see path.h
 */
#include <stdlib.h>

#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/path.h"
#include "value/set.h"
#include "value/string.h"
#include "value/value_int.h"

static struct path extend(struct arena *a, struct path p, struct path_step step)
{
	struct path_step *steps = arena_alloc(a, (p.len + 1) * sizeof(*steps));

	if (p.len)
		memcpy(steps, p.steps, p.len * sizeof(*steps));
	steps[p.len] = step;
	return (struct path){ steps, p.len + 1 };
}

struct path path_attr(struct arena *a, struct path p, struct str name)
{
	return extend(a, p, (struct path_step){ name, NULL });
}

struct path path_index(struct arena *a, struct path p,
		       const struct value *index)
{
	return extend(a, p, (struct path_step){ STR_NONE, index });
}

/* --- following --- */

/* The type of the element at an index in a value of type t; NULL if no value of
 * t has it. */
static const struct type *indexed_type(const struct type *t,
				       const struct value *index)
{
	int64_t i;

	switch (t->kind) {
	case TYPE_LIST:
		return index->type == &type_number ? t->elem : NULL;
	case TYPE_MAP:
		return index->type == &type_string ? t->elem : NULL;
	case TYPE_SET:
		return t->elem;
	case TYPE_TUPLE:
		if (index->type != &type_number)
			return NULL;
		if (index->state == VALUE_UNKNOWN)
			return &type_dynamic;
		if (!value_get_int(index, &i) || i < 0 || i >= t->len)
			return NULL;
		return t->elems[i];
	default:
		return NULL;
	}
}

static const struct value *step_index(struct arena *a, const struct value *v,
				      const struct value *index)
{
	const struct type *t = indexed_type(v->type, index);
	int64_t i;

	if (!t)
		return NULL;
	if (v->state == VALUE_UNKNOWN || index->state == VALUE_UNKNOWN)
		return value_unknown(a, t);
	if (index->state == VALUE_NULL && v->type->kind != TYPE_SET)
		return NULL;
	if (v->type->kind == TYPE_MAP)
		return value_get(v, index->string);
	if (v->type->kind != TYPE_SET)
		return value_get_int(index, &i) && i >= 0 && i < v->len
			       ? v->elems[i]
			       : NULL;
	index = value_unmark_deep(a, index, NULL);
	if (index->type != t)
		return NULL;
	if (value_wholly_known(index) && value_set_has(v, index))
		return index;
	return v->inner_unknown || index->inner_unknown ? value_unknown(a, t)
							: NULL;
}

static const struct value *step_attr(struct arena *a, const struct value *v,
				     struct str name)
{
	int i = type_attr_index(v->type, name);

	if (v->type->kind == TYPE_MAP) /* paths that providers write */
		return v->state == VALUE_UNKNOWN
			       ? value_unknown(a, v->type->elem)
			       : value_get(v, name);

	if (i < 0)
		return NULL;
	if (v->state == VALUE_UNKNOWN)
		return value_unknown(a, v->type->attrs[i].type);
	return v->elems[i];
}

const struct value *path_get(struct arena *a, const struct value *v,
			     struct path p)
{
	for (size_t i = 0; i < p.len && v; i++) {
		const struct path_step *s = &p.steps[i];
		const struct marks *m = v->marks;

		if (v->state == VALUE_NULL)
			return NULL;
		if (v->type == &type_dynamic)
			continue; /* unknown, and so is what is in it */
		v = s->index ? step_index(a, v, s->index)
			     : step_attr(a, v, s->attr);
		if (v && m)
			v = value_with_marks(a, v, m);
	}
	return v;
}

/* --- comparing --- */

static bool step_equal(const struct path_step *x, const struct path_step *y)
{
	if (!x->index || !y->index)
		return !x->index && !y->index && str_eq(x->attr, y->attr);
	return value_equal_unmarked(x->index, y->index);
}

bool path_has_prefix(struct path p, struct path prefix)
{
	if (prefix.len > p.len)
		return false;
	for (size_t i = 0; i < prefix.len; i++) {
		if (!step_equal(&p.steps[i], &prefix.steps[i]))
			return false;
	}
	return true;
}

bool path_equal(struct path x, struct path y)
{
	return x.len == y.len && path_has_prefix(x, y);
}

/* --- text --- */

/* Indices from a million on are shown with an exponent. */
static void index_text(struct arena *a, struct buf *b, const struct value *n)
{
	struct str s = value_number_text(a, n);
	size_t digits = s.n;
	bool negative = s.n && s.p[0] == '-';

	if (str_chr(s, '.') >= 0 || s.n - negative < 7) {
		buf_str(b, s);
		return;
	}
	while (digits > 1u + negative && s.p[digits - 1] == '0')
		digits--;
	buf_add(b, s.p, 1u + negative);
	if (digits > 1u + negative) {
		buf_putc(b, '.');
		buf_add(b, s.p + 1 + negative, digits - 1 - negative);
	}
	buf_addf(b, "e+%02zu", s.n - negative - 1);
}

struct str path_text(struct arena *a, struct path p)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < p.len; i++) {
		const struct value *index = p.steps[i].index;

		if (!index) {
			buf_putc(&b, '.');
			buf_str(&b, p.steps[i].attr);
			continue;
		}
		buf_putc(&b, '[');
		if (index->state == VALUE_NULL)
			buf_puts(&b, "null");
		else if (index->state == VALUE_UNKNOWN)
			buf_puts(&b, "(not yet known)");
		else if (index->type == &type_number)
			index_text(a, &b, index);
		else if (index->type == &type_string)
			str_quote(&b, index->string);
		else
			buf_puts(&b, "...");
		buf_putc(&b, ']');
	}
	return buf_take(a, &b);
}

/* --- marks by path --- */

struct path_step value_step(struct arena *a, const struct value *v, uint32_t i)
{
	struct path_step s = { STR_NONE, NULL };

	switch (v->type->kind) {
	case TYPE_OBJECT:
		s.attr = v->type->attrs[i].name;
		break;
	case TYPE_MAP:
		s.index = value_string(a, v->keys[i]);
		break;
	case TYPE_SET:
		s.index = v->elems[i];
		break;
	default:
		s.index = value_int(a, i);
	}
	return s;
}

static void marked_paths(struct arena *a, const struct value *v, unsigned bits,
			 struct path p, bool outermost, struct path_vec *out)
{
	if (v->marks && (v->marks->bits & bits)) {
		vec_push(a, out, p);
		if (outermost)
			return;
	}
	for (uint32_t i = 0; v->inner_marks && i < v->len; i++) {
		if (v->elems[i]->marks || v->elems[i]->inner_marks)
			marked_paths(a, v->elems[i], bits,
				     extend(a, p, value_step(a, v, i)),
				     outermost, out);
	}
}

void value_marked_paths(struct arena *a, const struct value *v, unsigned bits,
			struct path_vec *out)
{
	marked_paths(a, v, bits, (struct path){ NULL, 0 }, false, out);
}

void value_marked_outermost(struct arena *a, const struct value *v,
			    unsigned bits, struct path_vec *out)
{
	marked_paths(a, v, bits, (struct path){ NULL, 0 }, true, out);
}

/* The element a step leads to: its index in v, or -1. */
static int64_t element_at(const struct value *v, const struct path_step *s)
{
	int64_t i;

	if (!s->index)
		return value_find(v, s->attr);
	if (s->index->state != VALUE_KNOWN)
		return -1;
	switch (v->type->kind) {
	case TYPE_LIST:
	case TYPE_TUPLE:
		if (!value_get_int(s->index, &i) || i < 0 || i >= v->len)
			return -1;
		return i;
	case TYPE_MAP:
		return s->index->type == &type_string
			       ? value_find(v, s->index->string)
			       : -1;
	default:
		return -1;
	}
}

struct bound_path {
	struct path path;
	int64_t at; /* which element of the current value it goes into */
};

static int by_element(const void *x, const void *y)
{
	const struct bound_path *p = x, *q = y;

	return (p->at > q->at) - (p->at < q->at);
}

/* All paths, `depth` steps of which are behind, applied to v at once. */
static const struct value *mark_at(struct arena *a, const struct value *v,
				   struct bound_path *paths, size_t n,
				   size_t depth, const struct marks *m)
{
	const struct marks *own = NULL;
	const struct value **elems = NULL;

	for (size_t i = 0; i < n; i++) {
		paths[i].at = -1;
		if (paths[i].path.len == depth)
			own = m;
		else if (v->state == VALUE_KNOWN && v->type->kind == TYPE_SET)
			own = m; /* elements have no marks of their own */
		else if (v->state == VALUE_KNOWN)
			paths[i].at =
				element_at(v, &paths[i].path.steps[depth]);
	}
	qsort(paths, n, sizeof(*paths), by_element);
	for (size_t i = 0, to; i < n; i = to) {
		int64_t at = paths[i].at;

		for (to = i + 1; to < n && paths[to].at == at;)
			to++;
		if (at < 0)
			continue;
		if (!elems)
			elems = arena_dup(a, v->elems, v->len * sizeof(*elems));
		elems[at] =
			mark_at(a, elems[at], paths + i, to - i, depth + 1, m);
	}
	if (elems)
		v = value_with_elems(a, v, elems);
	return value_with_marks(a, v, own);
}

const struct value *value_mark_paths(struct arena *a, const struct value *v,
				     const struct path_vec *paths,
				     const struct marks *m)
{
	struct bound_path *list;

	if (!paths->len)
		return v;
	list = arena_alloc(a, paths->len * sizeof(*list));
	for (size_t i = 0; i < paths->len; i++)
		list[i].path = paths->items[i];
	return mark_at(a, v, list, paths->len, 0, m);
}

/* --- paths in the order of a plan --- */

/* ISO 3309's polynomial, its highest bit last. */
static const uint64_t polynomial = UINT64_C(0xd800000000000000);

static uint64_t crc64(uint64_t crc, struct str s)
{
	crc = ~crc;
	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned char)s.p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
	}
	return ~crc;
}

struct ordered {
	int64_t number;
	size_t at; /* index before sorting: orders those with one number */
	struct path path;
};

static int by_number(const void *x, const void *y)
{
	const struct ordered *a = x, *b = y;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static bool is_among(const struct path_vec *v, size_t from, struct path p)
{
	for (size_t i = from; i < v->len; i++)
		if (path_equal(v->items[i], p))
			return true;
	return false;
}

void paths_in_plan_order(struct path_vec *v)
{
	const size_t n = v->len;
	struct ordered *all = xcalloc(n + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		const struct path p = v->items[i];
		uint64_t crc = 0;

		for (size_t k = 0; k < p.len; k++)
			crc = crc64(crc, p.steps[k].index ? STR("##")
							  : p.steps[k].attr);
		all[i] = (struct ordered){ (int64_t)crc, i, p };
	}
	qsort(all, n, sizeof(*all), by_number);
	v->len = 0;
	for (size_t i = 0, first = 0; i < n; i++) {
		if (!i || all[i].number != all[i - 1].number)
			first = v->len;
		if (!is_among(v, first, all[i].path))
			v->items[v->len++] = all[i].path;
	}
	free(all);
}
