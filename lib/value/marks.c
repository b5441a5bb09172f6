/*
 * marks.c - marks on values; see value.h
 */
#include "value/marks.h"
#include "value/value_int.h"

const struct marks marks_sensitive = { .bits = MARK_SENSITIVE };
const struct marks marks_ephemeral = { .bits = MARK_EPHEMERAL };

bool marks_confidential(const struct marks *m)
{
	return m && (m->bits & MARKS_CONFIDENTIAL);
}

const struct marks *marks_within(const struct marks *whole)
{
	static const struct marks within = { .bits = MARK_WITHIN };

	return marks_confidential(whole) ? &within : NULL;
}

static bool has_cause(const struct marks *m, const struct deprecation *d)
{
	for (uint32_t i = 0; i < m->ndeprecations; i++) {
		if (str_eq(m->deprecations[i].by, d->by) &&
		    str_eq(m->deprecations[i].message, d->message))
			return true;
	}
	return false;
}

static bool covers(const struct marks *x, const struct marks *y)
{
	if (x == y)
		return true;
	if (y->bits & ~x->bits)
		return false;
	for (uint32_t i = 0; i < y->ndeprecations; i++) {
		if (!has_cause(x, &y->deprecations[i]))
			return false;
	}
	return true;
}

const struct marks *marks_union(struct arena *a, const struct marks *x,
				const struct marks *y)
{
	struct deprecation *list;
	struct marks *m;
	uint32_t n;

	if (!x || !y)
		return x ? x : y;
	if (covers(x, y))
		return x;
	if (covers(y, x))
		return y;
	m = ARENA_NEW(a, struct marks);
	m->bits = x->bits | y->bits;
	n = x->ndeprecations;
	list = arena_alloc(a, (n + y->ndeprecations) * sizeof(*list));
	if (n)
		memcpy(list, x->deprecations, n * sizeof(*list));
	for (uint32_t i = 0; i < y->ndeprecations; i++) {
		if (!has_cause(x, &y->deprecations[i]))
			list[n++] = y->deprecations[i];
	}
	m->ndeprecations = n;
	m->deprecations = list;
	return m;
}

static const struct value *set_marks(struct arena *a, const struct value *v,
				     const struct marks *m)
{
	struct value *w;

	if (v->marks == m)
		return v;
	w = arena_dup(a, v, sizeof(*v));
	w->marks = m;
	return w;
}

const struct value *value_with_marks(struct arena *a, const struct value *v,
				     const struct marks *m)
{
	return set_marks(a, v, marks_union(a, v->marks, m));
}

const struct value *value_unmark(struct arena *a, const struct value *v,
				 const struct marks **taken)
{
	if (taken)
		*taken = v->marks;
	return set_marks(a, v, NULL);
}

const struct marks *marks_without(struct arena *a, const struct marks *m,
				  unsigned bits)
{
	struct marks *less;

	if (!m || !(m->bits & bits))
		return m;
	if (!(m->bits & ~bits))
		return NULL;
	less = arena_dup(a, m, sizeof(*m));
	less->bits &= ~bits;
	if (bits & MARK_DEPRECATED) {
		less->ndeprecations = 0;
		less->deprecations = NULL;
	}
	return less;
}

/* v with the given bits removed everywhere; *taken collects these marks. */
static const struct value *strip(struct arena *a, const struct value *v,
				 unsigned bits, const struct marks **taken)
{
	const struct value **elems;

	if (taken && v->marks)
		*taken = marks_union(a, *taken, v->marks);
	if (v->inner_marks) {
		elems = arena_alloc(a, v->len * sizeof(*elems));
		for (uint32_t i = 0; i < v->len; i++)
			elems[i] = strip(a, v->elems[i], bits, taken);
		v = value_with_elems(a, v, elems);
	}
	return set_marks(a, v, marks_without(a, v->marks, bits));
}

const struct value *value_unmark_deep(struct arena *a, const struct value *v,
				      const struct marks **taken)
{
	if (taken)
		*taken = NULL;
	if (!v->marks && !v->inner_marks)
		return v;
	return strip(a, v, ~0u, taken);
}

const struct value *value_without_marks(struct arena *a, const struct value *v,
					unsigned bits)
{
	if (!v->marks && !v->inner_marks)
		return v;
	return strip(a, v, bits, NULL);
}

bool value_has_mark_deep(const struct value *v, enum mark m)
{
	if (value_has_mark(v, m))
		return true;
	if (!v->inner_marks)
		return false;
	for (uint32_t i = 0; i < v->len; i++) {
		if (value_has_mark_deep(v->elems[i], m))
			return true;
	}
	return false;
}
