/*
 * unify.c - finding one type that several convert to; see convert.h
 *
 * Types of one structural kind unify part by part into a type that none of
 * them need be; otherwise the most general of the types that all others
 * convert to is taken.  Types are interned, so each distinct one is looked at
 * once however many there are: the order of preference is worked out by
 * comparing pairs.
 */
#include <stdlib.h>

#include "value/convert.h"
#include "value/value_int.h"

struct types {
	const struct type **items;
	size_t len, cap;
};

static void add_type(struct types *ts, const struct type *t)
{
	if (ts->len == ts->cap) {
		ts->cap = ts->cap ? ts->cap * 2 : 16;
		ts->items = xrealloc(ts->items, ts->cap * sizeof(*ts->items));
	}
	ts->items[ts->len++] = t;
}

/* --- each type once --- */

struct place {
	const struct type *type;
	size_t at;
};

static int by_type(const void *x, const void *y)
{
	const struct place *p = x, *q = y;

	if (p->type != q->type)
		return (uintptr_t)p->type < (uintptr_t)q->type ? -1 : 1;
	return (p->at > q->at) - (p->at < q->at);
}

static int by_place(const void *x, const void *y)
{
	const struct place *p = x, *q = y;

	return (p->at > q->at) - (p->at < q->at);
}

/* In the order of first occurrence. */
static struct types distinct(const struct type *const *types, size_t n)
{
	struct types out = { NULL, 0, 0 };
	struct place *places;
	size_t same = 1, k = 0;

	while (same < n && types[same] == types[0])
		same++;
	if (same >= n) {
		if (n)
			add_type(&out, types[0]);
		return out;
	}
	places = xmalloc(n * sizeof(*places));
	for (size_t i = 0; i < n; i++)
		places[i] = (struct place){ types[i], i };
	qsort(places, n, sizeof(*places), by_type);
	for (size_t i = 0; i < n; i++) {
		if (!k || places[k - 1].type != places[i].type)
			places[k++] = places[i];
	}
	qsort(places, k, sizeof(*places), by_place);
	for (size_t i = 0; i < k; i++)
		add_type(&out, places[i].type);
	free(places);
	return out;
}

/* --- preference --- */

static int prefer(const struct type *a, const struct type *b);

/* Of two objects or tuples with the same parts: the one whose parts are more
 * general, if they all lean one way. */
static int prefer_parts(const struct type *a, const struct type *b)
{
	bool left = false, right = false;

	if (a->len != b->len)
		return 0;
	for (uint32_t i = 0; i < a->len; i++) {
		int c;

		if (a->kind == TYPE_OBJECT &&
		    !str_eq(a->attrs[i].name, b->attrs[i].name))
			return 0;
		c = a->kind == TYPE_OBJECT
			    ? prefer(a->attrs[i].type, b->attrs[i].type)
			    : prefer(a->elems[i], b->elems[i]);
		left |= c < 0;
		right |= c > 0;
	}
	return left == right ? 0 : left ? -1 : 1;
}

/* Less than 0 when a is the more general: strings before other primitives,
 * lists before tuples, lists and tuples before sets, maps before objects,
 * anything before dynamic. */
static int prefer(const struct type *a, const struct type *b)
{
	enum type_kind j = a->kind, k = b->kind;

	if (a == b)
		return 0;
	if (j == TYPE_DYNAMIC || k == TYPE_DYNAMIC)
		return j == TYPE_DYNAMIC ? 1 : -1;
	if (type_is_primitive(a) && type_is_primitive(b))
		return (b == &type_string) - (a == &type_string);
	if (j == k && type_is_collection(a))
		return prefer(a->elem, b->elem);
	if (j == k)
		return prefer_parts(a, b);
	if (k == TYPE_SET && (j == TYPE_TUPLE || j == TYPE_LIST))
		return -1;
	if (j == TYPE_SET && (k == TYPE_TUPLE || k == TYPE_LIST))
		return 1;
	if (j == TYPE_LIST && k == TYPE_TUPLE)
		return -1;
	if (j == TYPE_TUPLE && k == TYPE_LIST)
		return 1;
	if (j == TYPE_MAP && k == TYPE_OBJECT)
		return -1;
	if (j == TYPE_OBJECT && k == TYPE_MAP)
		return 1;
	return 0;
}

/* Indices, more general types before those they are compared with: a
 * topological order that otherwise keeps the one given. */
static size_t *preference(const struct types *ts)
{
	size_t n = ts->len, head = 0, tail = 0;
	size_t *queue = xmalloc(n * sizeof(*queue));
	size_t *above = xcalloc(n, sizeof(*above));

	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			int c = prefer(ts->items[i], ts->items[j]);

			above[j] += c < 0;
			above[i] += c > 0;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!above[i])
			queue[tail++] = i;
	}
	while (head < tail) {
		size_t i = queue[head++];

		for (size_t j = 0; j < n; j++) {
			if (prefer(ts->items[i], ts->items[j]) < 0 &&
			    --above[j] == 0)
				queue[tail++] = j;
		}
	}
	while (tail < n) /* not reached unless preference were circular */
		queue[tail++] = 0;
	free(above);
	return queue;
}

static bool all_convert(const struct types *ts, const struct type *to,
			bool unsafe)
{
	for (size_t i = 0; i < ts->len; i++) {
		if (ts->items[i] != to &&
		    !conversion_exists(ts->items[i], to, unsafe))
			return false;
	}
	return true;
}

static const struct type *unify_by_preference(const struct types *ts,
					      bool unsafe)
{
	size_t *order = preference(ts);
	const struct type *found = NULL;

	for (size_t i = 0; i < ts->len && !found; i++) {
		const struct type *t = ts->items[order[i]];

		if (all_convert(ts, t, unsafe))
			found = t;
	}
	free(order);
	return found;
}

/* --- part by part --- */

static const struct type *collection_of(enum type_kind kind,
					const struct type *elem)
{
	if (kind == TYPE_LIST)
		return type_list(elem);
	return kind == TYPE_SET ? type_set(elem) : type_map(elem);
}

static const struct type *unify_collections(const struct types *ts,
					    enum type_kind kind, bool unsafe)
{
	struct types elems = { NULL, 0, 0 };
	const struct type *t;

	for (size_t i = 0; i < ts->len; i++)
		add_type(&elems, ts->items[i]->elem);
	t = unify_types(elems.items, elems.len, unsafe);
	free(elems.items);
	if (!t)
		return NULL;
	t = collection_of(kind, t);
	return all_convert(ts, t, unsafe) ? t : NULL;
}

/* All parts of all the objects or tuples as elements of a map or list. */
static const struct type *unify_to_collection(const struct types *ts,
					      enum type_kind kind, bool unsafe)
{
	struct types parts = { NULL, 0, 0 };
	const struct type *t;

	for (size_t i = 0; i < ts->len; i++) {
		t = ts->items[i];
		for (uint32_t k = 0; k < t->len; k++)
			add_type(&parts, t->kind == TYPE_OBJECT
						 ? t->attrs[k].type
						 : t->elems[k]);
	}
	t = unify_types(parts.items, parts.len, unsafe);
	free(parts.items);
	if (!t)
		return NULL;
	t = collection_of(kind, t);
	return all_convert(ts, t, unsafe) ? t : NULL;
}

static bool same_shape(const struct types *ts)
{
	const struct type *first = ts->items[0];

	for (size_t i = 1; i < ts->len; i++) {
		const struct type *t = ts->items[i];

		if (t->len != first->len)
			return false;
		for (uint32_t k = 0; t->kind == TYPE_OBJECT && k < t->len;
		     k++) {
			if (!str_eq(t->attrs[k].name, first->attrs[k].name))
				return false;
		}
	}
	return true;
}

/* Part k of each type, unified. */
static const struct type *unify_across(const struct types *ts, uint32_t k,
				       bool unsafe)
{
	struct types across = { NULL, 0, 0 };
	const struct type *t;

	for (size_t i = 0; i < ts->len; i++) {
		t = ts->items[i];
		add_type(&across, t->kind == TYPE_OBJECT ? t->attrs[k].type
							 : t->elems[k]);
	}
	t = unify_types(across.items, across.len, unsafe);
	free(across.items);
	return t;
}

static const struct type *unify_structural(const struct types *ts,
					   enum type_kind kind, bool unsafe)
{
	const struct type *first = ts->items[0], *t = NULL;
	struct type_attr *attrs;
	const struct type **elems;
	uint32_t k;

	if (!same_shape(ts))
		return unify_to_collection(
			ts, kind == TYPE_OBJECT ? TYPE_MAP : TYPE_LIST, unsafe);
	attrs = xcalloc(first->len, sizeof(*attrs));
	elems = xcalloc(first->len, sizeof(*elems));
	for (k = 0; k < first->len; k++) {
		elems[k] = unify_across(ts, k, unsafe);
		if (!elems[k])
			break;
		if (kind == TYPE_OBJECT)
			attrs[k].name = first->attrs[k].name;
		attrs[k].type = elems[k];
	}
	if (k == first->len)
		t = kind == TYPE_OBJECT ? type_object(attrs, k)
					: type_tuple(elems, k);
	free(attrs);
	free(elems);
	if (t && !all_convert(ts, t, unsafe))
		t = unify_to_collection(
			ts, kind == TYPE_OBJECT ? TYPE_MAP : TYPE_LIST, unsafe);
	return t;
}

/* Maps and objects (lists and tuples): the structural ones may be collections
 * in disguise, and then the collections are to unify. */
static const struct type *unify_disguised(const struct types *ts,
					  enum type_kind structural,
					  enum type_kind kind, bool unsafe)
{
	struct types some = { NULL, 0, 0 }, all = { NULL, 0, 0 };
	const struct type *t;

	for (size_t i = 0; i < ts->len; i++) {
		if (ts->items[i]->kind == structural)
			add_type(&some, ts->items[i]);
		else
			add_type(&all, ts->items[i]);
	}
	t = unify_to_collection(&some, kind, unsafe);
	if (t) {
		add_type(&all, t);
		t = unify_types(all.items, all.len, unsafe);
	}
	free(some.items);
	free(all.items);
	return t && t->kind == kind ? t : NULL;
}

/* --- all together --- */

struct census {
	size_t of[TYPE_OBJECT + 1];
	size_t typed, primitive;
	enum type_kind only; /* composite kind of all that are typed, or
				TYPE_DYNAMIC */
};

static struct census count_kinds(const struct type *const *types, size_t n)
{
	struct census c = { .only = TYPE_DYNAMIC };

	for (size_t i = 0; i < n; i++)
		c.of[types[i]->kind]++;
	c.typed = n - c.of[TYPE_DYNAMIC];
	c.primitive = c.of[TYPE_BOOL] + c.of[TYPE_NUMBER] + c.of[TYPE_STRING];
	for (enum type_kind k = TYPE_LIST; k <= TYPE_OBJECT; k++) {
		if (c.of[k] && c.of[k] == c.typed)
			c.only = k;
	}
	return c;
}

static const struct type *unify_distinct(const struct types *ts, bool unsafe)
{
	struct census c = count_kinds(ts->items, ts->len);
	const struct type *t = NULL;

	if (c.only != TYPE_DYNAMIC && c.of[TYPE_DYNAMIC])
		return &type_dynamic;
	if (c.only == TYPE_OBJECT || c.only == TYPE_TUPLE)
		return unify_structural(ts, c.only, unsafe);
	if (c.only != TYPE_DYNAMIC)
		return unify_collections(ts, c.only, unsafe);
	if (c.of[TYPE_OBJECT] && c.of[TYPE_TUPLE])
		return NULL;
	if (c.primitive && c.primitive != c.typed) /* these never convert */
		return c.of[TYPE_DYNAMIC] ? &type_dynamic : NULL;
	if (c.of[TYPE_MAP] && c.of[TYPE_MAP] + c.of[TYPE_OBJECT] == c.typed)
		t = unify_disguised(ts, TYPE_OBJECT, TYPE_MAP, unsafe);
	else if (c.of[TYPE_LIST] &&
		 c.of[TYPE_LIST] + c.of[TYPE_TUPLE] == c.typed)
		t = unify_disguised(ts, TYPE_TUPLE, TYPE_LIST, unsafe);
	return t ? t : unify_by_preference(ts, unsafe);
}

const struct type *unify_types(const struct type *const *types, size_t n,
			       bool unsafe)
{
	struct types ts = distinct(types, n);
	const struct type *t = NULL;

	if (ts.len == 1)
		t = ts.items[0];
	else if (ts.len > 1)
		t = unify_distinct(&ts, unsafe);
	free(ts.items);
	return t;
}

const struct type *unify_parts(const struct type *t, bool unsafe)
{
	struct types ts = { NULL, 0, 0 };
	const struct type *u;

	if (t->kind == TYPE_TUPLE)
		return unify_types(t->elems, t->len, unsafe);
	for (uint32_t i = 0; i < t->len; i++)
		add_type(&ts, t->attrs[i].type);
	u = unify_types(ts.items, ts.len, unsafe);
	free(ts.items);
	return u;
}

const struct type *unify(struct arena *a, const struct type *const *types,
			 size_t n)
{
	(void)a; /* types are interned; the scratch space is our own */
	return unify_types(types, n, true);
}

const struct type *unify_values(struct arena *a, const struct value **values,
				size_t n, struct verror *err)
{
	const struct type **types = arena_alloc(a, n * sizeof(*types)), *t;
	struct census c;

	for (size_t i = 0; i < n; i++)
		types[i] = values[i]->type;
	t = unify_types(types, n, true);
	if (!t) {
		err->path = (struct path){ NULL, 0 };
		err->message = STR("no common type");
		return NULL;
	}
	c = count_kinds(types, n);
	for (size_t i = 0; i < n; i++) {
		if (c.only != TYPE_DYNAMIC && c.of[TYPE_DYNAMIC])
			values[i] = &value_unknown_dynamic;
		else
			values[i] = convert(a, values[i], t, err);
		if (!values[i])
			return NULL;
	}
	return t;
}
