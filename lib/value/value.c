/*
 * value.c - making and copying values, looking into them; see value.h
 *
 * Sets are made in set.c, numbers in number.c, refined unknowns in refine.c.
 */
#include <stdlib.h>

#include "value/number.h"
#include "value/string.h"
#include "value/value_int.h"

const struct value value_true = { .type = &type_bool, .boolean = true };
const struct value value_false = { .type = &type_bool };
const struct value value_null_dynamic = { .type = &type_dynamic,
					  .state = VALUE_NULL };
const struct value value_unknown_dynamic = { .type = &type_dynamic,
					     .state = VALUE_UNKNOWN };
const struct value value_empty_string = { .type = &type_string,
					  .string = STR_INIT("") };

const struct value *value_bool(bool b)
{
	return b ? &value_true : &value_false;
}

const struct value *value_string(struct arena *a, struct str s)
{
	struct value *v;

	if (!s.n)
		return &value_empty_string;
	v = ARENA_NEW(a, struct value);
	v->type = &type_string;
	v->string = str_nfc(a, s);
	return v;
}

const struct value *value_null(struct arena *a, const struct type *t)
{
	struct value *v;

	if (t == &type_dynamic)
		return &value_null_dynamic;
	v = ARENA_NEW(a, struct value);
	v->type = type_without_optional(t);
	v->state = VALUE_NULL;
	return v;
}

const struct value *value_unknown(struct arena *a, const struct type *t)
{
	struct value *v;

	if (t == &type_dynamic)
		return &value_unknown_dynamic;
	v = ARENA_NEW(a, struct value);
	v->type = type_without_optional(t);
	v->state = VALUE_UNKNOWN;
	return v;
}

/* --- composite values --- */

/* Up to so many parts, scratch space is on the stack. */
enum { FEW = 16 };

/* elems must be in the arena; flags are gathered from them. */
static struct value *composite(struct arena *a, const struct type *t,
			       const struct value *const *elems, size_t n)
{
	struct value *v = ARENA_NEW(a, struct value);

	v->type = t;
	v->len = (uint32_t)n;
	v->elems = elems;
	for (size_t i = 0; i < n; i++) {
		v->inner_marks |= elems[i]->marks || elems[i]->inner_marks;
		v->inner_unknown |= elems[i]->state == VALUE_UNKNOWN ||
				    elems[i]->inner_unknown;
	}
	return v;
}

const struct value *value_of_elems(struct arena *a, const struct type *t,
				   const struct value *const *elems, size_t n)
{
	return composite(a, t, elems, n);
}

const struct value *value_with_elems(struct arena *a, const struct value *v,
				     const struct value *const *elems)
{
	struct value *w = composite(a, v->type, elems, v->len);

	w->keys = v->keys;
	w->marks = v->marks;
	return w;
}

const struct value *value_list(struct arena *a, const struct type *elem,
			       const struct value *const *elems, size_t n)
{
	return composite(a, type_list(type_without_optional(elem)),
			 arena_dup(a, elems, n * sizeof(*elems)), n);
}

const struct value *value_tuple(struct arena *a,
				const struct value *const *elems, size_t n)
{
	const struct type *few[FEW] = { NULL }, **types = few, *t;

	if (n > FEW)
		types = xmalloc(n * sizeof(*types));
	for (size_t i = 0; i < n; i++)
		types[i] = elems[i]->type;
	t = type_tuple(types, n);
	if (types != few)
		free(types);
	return composite(a, t, arena_dup(a, elems, n * sizeof(*elems)), n);
}

/* --- named elements --- */

struct named {
	struct str name;
	const struct value *value;
	size_t at; /* place as given: the last of equal names counts */
};

static int named_cmp(const void *x, const void *y)
{
	const struct named *p = x, *q = y;
	int c = str_cmp(p->name, q->name);

	return c ? c : (p->at > q->at) - (p->at < q->at);
}

/* Most objects have few attributes. */
static void sort_list(struct named *list, size_t n)
{
	if (n > FEW) {
		qsort(list, n, sizeof(*list), named_cmp);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct named x = list[i];
		size_t k = i;

		for (; k && named_cmp(&x, &list[k - 1]) < 0; k--)
			list[k] = list[k - 1];
		list[k] = x;
	}
}

/* Normalised, sorted by name, without duplicates. */
static struct named *sort_named(struct arena *a, const struct str *names,
				const struct value *const *elems, size_t *n)
{
	struct named *list = arena_alloc(a, *n * sizeof(*list));
	bool sorted = true;
	size_t len = 0;

	for (size_t i = 0; i < *n; i++) {
		list[i] = (struct named){ str_nfc(a, names[i]), elems[i], i };
		if (i && str_cmp(list[i - 1].name, list[i].name) >= 0)
			sorted = false;
	}
	if (sorted)
		return list;
	sort_list(list, *n);
	for (size_t i = 0; i < *n; i++) {
		if (len && str_eq(list[len - 1].name, list[i].name))
			len--;
		list[len++] = list[i];
	}
	*n = len;
	return list;
}

/* Nothing to normalise, to sort or to drop. */
static bool in_order(const struct str *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!str_is_plain(names[i]) ||
		    (i && str_cmp(names[i - 1], names[i]) >= 0))
			return false;
	}
	return true;
}

static const struct value **named_values(struct arena *a,
					 const struct named *list, size_t n)
{
	const struct value **elems = arena_alloc(a, n * sizeof(*elems));

	for (size_t i = 0; i < n; i++)
		elems[i] = list[i].value;
	return elems;
}

const struct value *value_map(struct arena *a, const struct type *elem,
			      const struct str *keys,
			      const struct value *const *elems, size_t n)
{
	struct named *list;
	struct str *sorted;
	struct value *v;

	elem = type_without_optional(elem);
	if (in_order(keys, n)) {
		v = composite(a, type_map(elem),
			      arena_dup(a, elems, n * sizeof(*elems)), n);
		v->keys = arena_dup(a, keys, n * sizeof(*keys));
		return v;
	}
	list = sort_named(a, keys, elems, &n);
	sorted = arena_alloc(a, n * sizeof(*sorted));
	for (size_t i = 0; i < n; i++)
		sorted[i] = list[i].name;
	v = composite(a, type_map(elem), named_values(a, list, n), n);
	v->keys = sorted;
	return v;
}

static const struct type *object_type(const struct str *names,
				      const struct value *const *elems,
				      size_t n)
{
	struct type_attr few[FEW] = { { STR_NONE, NULL, false } };
	struct type_attr *attrs = few;
	const struct type *t;

	if (n > FEW)
		attrs = xmalloc(n * sizeof(*attrs));
	for (size_t i = 0; i < n; i++)
		attrs[i] =
			(struct type_attr){ names[i], elems[i]->type, false };
	t = type_object(attrs, n);
	if (attrs != few)
		free(attrs);
	return t;
}

const struct value *value_object(struct arena *a, const struct str *names,
				 const struct value *const *elems, size_t n)
{
	const struct value **values;
	struct named *list;
	struct str *sorted;

	if (in_order(names, n))
		return composite(a, object_type(names, elems, n),
				 arena_dup(a, elems, n * sizeof(*elems)), n);
	list = sort_named(a, names, elems, &n);
	values = named_values(a, list, n);
	sorted = arena_alloc(a, n * sizeof(*sorted));
	for (size_t i = 0; i < n; i++)
		sorted[i] = list[i].name;
	return composite(a, object_type(sorted, values, n), values, n);
}

const struct value *value_object_of(struct arena *a, const struct type *t,
				    const struct value *const *elems)
{
	t = type_without_optional(t);
	return composite(a, t, arena_dup(a, elems, t->len * sizeof(*elems)),
			 t->len);
}

/* --- looking --- */

bool value_wholly_known(const struct value *v)
{
	return v->state != VALUE_UNKNOWN && !v->inner_unknown;
}

int64_t value_find(const struct value *v, struct str name)
{
	uint32_t lo = 0, hi;

	if (v->type->kind == TYPE_OBJECT)
		return type_attr_index(v->type, name);
	if (v->type->kind != TYPE_MAP)
		return -1;
	for (hi = v->len; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(v->keys[mid], name);

		if (c == 0)
			return mid;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -1;
}

const struct value *value_get(const struct value *v, struct str name)
{
	int64_t i = v->state == VALUE_KNOWN ? value_find(v, name) : -1;

	return i < 0 ? NULL : v->elems[i];
}

bool value_type_wholly_known(const struct value *v)
{
	if (v->state == VALUE_NULL || !v->type->has_dynamic)
		return true;
	if (v->state == VALUE_UNKNOWN || v->type == &type_dynamic)
		return false;
	for (uint32_t i = 0; i < v->len; i++) {
		if (!value_type_wholly_known(v->elems[i]))
			return false;
	}
	return true;
}

/* --- copying --- */

/* Everywhere: what does not lie in `from` stays; NULL: nothing does. */
static const struct value *copy(const struct arena *from, struct arena *to,
				const struct value *v);

static inline bool stays(const struct arena *from, const void *p)
{
	return from && !arena_holds(from, p);
}

static struct str copy_str(const struct arena *from, struct arena *to,
			   struct str s)
{
	return stays(from, s.p) ? s : str_dup(to, s);
}

static const struct marks *copy_marks(const struct arena *from,
				      struct arena *to, const struct marks *m)
{
	struct marks *copied;
	struct deprecation *list;

	if (!m || m == &marks_sensitive || m == &marks_ephemeral ||
	    stays(from, m))
		return m;
	copied = arena_dup(to, m, sizeof(*m));
	if (!m->ndeprecations)
		return copied;
	list = arena_alloc(to, m->ndeprecations * sizeof(*list));
	for (uint32_t i = 0; i < m->ndeprecations; i++) {
		list[i].remote = m->deprecations[i].remote;
		list[i].by = copy_str(from, to, m->deprecations[i].by);
		list[i].message =
			copy_str(from, to, m->deprecations[i].message);
	}
	copied->deprecations = list;
	return copied;
}

static const struct refinement *copy_refinement(const struct arena *from,
						struct arena *to,
						const struct refinement *r)
{
	struct refinement *copied;

	if (!r || r == &refinement_none || stays(from, r))
		return r;
	copied = arena_dup(to, r, sizeof(*r));
	copied->prefix = r->prefix.n ? copy_str(from, to, r->prefix) : STR_NONE;
	copied->min = r->min ? copy(from, to, r->min) : NULL;
	copied->max = r->max ? copy(from, to, r->max) : NULL;
	return copied;
}

static void copy_elems(const struct arena *from, struct arena *to,
		       struct value *made, const struct value *v)
{
	const struct value **elems;
	struct str *keys;

	if (!stays(from, v->elems)) {
		elems = arena_alloc(to, v->len * sizeof(*elems));
		for (uint32_t i = 0; i < v->len; i++)
			elems[i] = copy(from, to, v->elems[i]);
		made->elems = elems;
	}
	if (v->type->kind != TYPE_MAP || stays(from, v->keys))
		return;
	keys = arena_alloc(to, v->len * sizeof(*keys));
	for (uint32_t i = 0; i < v->len; i++)
		keys[i] = copy_str(from, to, v->keys[i]);
	made->keys = keys;
}

static bool is_static(const struct value *v)
{
	if (v->type == &type_string)
		return v == &value_empty_string;
	return v == &value_true || v == &value_false || v == &value_zero ||
	       v == &value_null_dynamic || v == &value_unknown_dynamic ||
	       v == &value_unknown_bool;
}

static const struct value *copy(const struct arena *from, struct arena *to,
				const struct value *v)
{
	struct value *copied;

	if (is_static(v) || stays(from, v))
		return v;
	copied = arena_dup(to, v, sizeof(*v));
	if (v->marks)
		copied->marks = copy_marks(from, to, v->marks);
	if (v->state == VALUE_UNKNOWN)
		copied->refined = copy_refinement(from, to, v->refined);
	if (v->state != VALUE_KNOWN)
		return copied;
	if (v->type == &type_number && v->big)
		copied->num = number_new(to, v->num->n)->num;
	else if (v->type == &type_string)
		copied->string = copy_str(from, to, v->string);
	else if (v->type->kind >= TYPE_LIST)
		copy_elems(from, to, copied, v);
	return copied;
}

const struct value *value_copy(struct arena *a, const struct value *v)
{
	return copy(NULL, a, v);
}

/* --- out of an arena that goes --- */

const struct value *value_move(const struct arena *from, struct arena *to,
			       const struct value *v)
{
	return copy(from, to, v);
}

const struct marks *marks_move(const struct arena *from, struct arena *to,
			       const struct marks *m)
{
	return copy_marks(from, to, m);
}

static bool take(size_t *room, size_t n)
{
	if (n > *room)
		return false;
	*room -= n;
	return true;
}

bool value_move_fits(const struct arena *from, const struct value *v,
		     size_t *room)
{
	enum {
		RARE = 64, /* marks, refinements: about */
	};

	if (!arena_holds(from, v))
		return true;
	if (!take(room, sizeof(*v) + (v->marks ? RARE : 0)))
		return false;
	if (v->state == VALUE_UNKNOWN)
		return !v->refined || take(room, sizeof(*v->refined) + RARE);
	if (v->state != VALUE_KNOWN)
		return true;
	if (v->type == &type_string)
		return take(room, v->string.n);
	if (v->type == &type_number)
		return !v->big || take(room, RARE + (size_t)number_bits(v) / 8);
	if (v->type->kind < TYPE_LIST)
		return true;
	if (!take(room, v->len * sizeof(*v->elems)))
		return false;
	for (uint32_t i = 0; i < v->len; i++) {
		if (!value_move_fits(from, v->elems[i], room))
			return false;
		if (v->type->kind == TYPE_MAP &&
		    !take(room, sizeof(struct str) + v->keys[i].n))
			return false;
	}
	return true;
}
