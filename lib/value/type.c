/*
 * type.c - making types; see type.h
 *
 * Composite types live in one table for the life of the process: constructors
 * look there first, so equal types are the same pointer.  This table is
 * file-level mutable state; it is a cache that only grows, and nothing can
 * tell whether an entry was there before.
 */
#include <stdlib.h>

#include "value/string.h"
#include "value/type.h"

const struct type type_dynamic = { .kind = TYPE_DYNAMIC,
				   .has_dynamic = true,
				   .depth = 1 };
const struct type type_bool = { .kind = TYPE_BOOL, .depth = 1 };
const struct type type_number = { .kind = TYPE_NUMBER, .depth = 1 };
const struct type type_string = { .kind = TYPE_STRING, .depth = 1 };

#define COLLECTION(kind_, elem_, depth_, dynamic_) \
	{ \
		.kind = (kind_), .has_dynamic = (dynamic_), .depth = (depth_), \
		.elem = &(elem_) \
	}

const struct type type_list_dynamic =
	COLLECTION(TYPE_LIST, type_dynamic, 2, true);
const struct type type_list_bool = COLLECTION(TYPE_LIST, type_bool, 2, false);
const struct type type_list_number =
	COLLECTION(TYPE_LIST, type_number, 2, false);
const struct type type_list_string =
	COLLECTION(TYPE_LIST, type_string, 2, false);
const struct type type_set_dynamic =
	COLLECTION(TYPE_SET, type_dynamic, 2, true);
const struct type type_set_string = COLLECTION(TYPE_SET, type_string, 2, false);
const struct type type_map_string = COLLECTION(TYPE_MAP, type_string, 2, false);
const struct type type_map_dynamic =
	COLLECTION(TYPE_MAP, type_dynamic, 2, true);
const struct type type_map_list_string =
	COLLECTION(TYPE_MAP, type_list_string, 3, false);

/* Entered before all others, so that the constructors find them. */
static const struct type *const named[] = {
	&type_list_dynamic, &type_list_bool,   &type_list_number,
	&type_list_string,  &type_set_dynamic, &type_set_string,
	&type_map_dynamic,  &type_map_string,  &type_map_list_string,
};

struct slot {
	uint64_t hash;
	const struct type *type;
};

static struct {
	struct arena arena;
	struct slot *slots;
	size_t nslots; /* a power of two, or 0 */
	size_t len;
} table;

static uint64_t mix(uint64_t h, uint64_t x)
{
	h ^= x;
	h *= 0x9fb21c651e98df25u;
	return h ^ h >> 29;
}

static uint64_t hash_type(const struct type *t)
{
	uint64_t h = mix(0x51ed270b, (uint64_t)t->kind << 32 | t->len);

	switch (t->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return mix(h, (uintptr_t)t->elem);
	case TYPE_TUPLE:
		for (uint32_t i = 0; i < t->len; i++)
			h = mix(h, (uintptr_t)t->elems[i]);
		return h;
	case TYPE_OBJECT:
		for (uint32_t i = 0; i < t->len; i++) {
			h = mix(h, str_hash(t->attrs[i].name));
			h = mix(h, (uintptr_t)t->attrs[i].type +
					   t->attrs[i].optional);
		}
		return h;
	default:
		return h;
	}
}

static bool same(const struct type *x, const struct type *y)
{
	if (x->kind != y->kind || x->len != y->len)
		return false;
	switch (x->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return x->elem == y->elem;
	case TYPE_TUPLE:
		return x->len == 0 || memcmp(x->elems, y->elems,
					     x->len * sizeof(*x->elems)) == 0;
	case TYPE_OBJECT:
		for (uint32_t i = 0; i < x->len; i++) {
			if (x->attrs[i].type != y->attrs[i].type ||
			    x->attrs[i].optional != y->attrs[i].optional ||
			    !str_eq(x->attrs[i].name, y->attrs[i].name))
				return false;
		}
		return true;
	default:
		return true;
	}
}

static void table_grow(void)
{
	size_t n = table.nslots ? table.nslots * 2 : 256;
	struct slot *slots = xcalloc(n, sizeof(*slots));

	for (size_t i = 0; i < table.nslots; i++) {
		size_t at = table.slots[i].hash & (n - 1);

		if (!table.slots[i].type)
			continue;
		while (slots[at].type)
			at = (at + 1) & (n - 1);
		slots[at] = table.slots[i];
	}
	free(table.slots);
	table.slots = slots;
	table.nslots = n;
}

/* A lasting copy of t; of attribute names only as long as they are borrowed
 * from the caller. */
static const struct type *keep(const struct type *t)
{
	struct arena *a = &table.arena;
	struct type *k = arena_dup(a, t, sizeof(*t));

	if (t->kind == TYPE_TUPLE) {
		k->elems = arena_dup(a, t->elems, t->len * sizeof(*t->elems));
	} else if (t->kind == TYPE_OBJECT) {
		struct type_attr *attrs =
			arena_dup(a, t->attrs, t->len * sizeof(*attrs));

		for (uint32_t i = 0; i < t->len; i++)
			attrs[i].name = str_dup(a, attrs[i].name);
		k->attrs = attrs;
	}
	return k;
}

/* The slot of t, or the free one where it belongs. */
static struct slot *find_slot(const struct type *t, uint64_t hash)
{
	size_t at = hash & (table.nslots - 1);

	while (table.slots[at].type &&
	       !(table.slots[at].hash == hash && same(table.slots[at].type, t)))
		at = (at + 1) & (table.nslots - 1);
	return &table.slots[at];
}

static void enter_named(void)
{
	table_grow();
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		uint64_t hash = hash_type(named[i]);

		*find_slot(named[i], hash) = (struct slot){ hash, named[i] };
		table.len++;
	}
}

static const struct type *intern(const struct type *t)
{
	uint64_t hash = hash_type(t);
	struct slot *slot;

	if (!table.nslots)
		enter_named();
	if ((table.len + 1) * 4 > table.nslots * 3)
		table_grow();
	slot = find_slot(t, hash);
	if (slot->type)
		return slot->type;
	*slot = (struct slot){ hash, keep(t) };
	table.len++;
	return slot->type;
}

static void note_part(struct type *t, const struct type *part)
{
	t->has_dynamic |= part->has_dynamic;
	t->has_optional |= part->has_optional;
	if (t->depth <= part->depth)
		t->depth = part->depth + 1;
}

static const struct type *collection(enum type_kind kind,
				     const struct type *elem)
{
	struct type t = { .kind = kind, .elem = elem };

	note_part(&t, elem);
	return intern(&t);
}

const struct type *type_list(const struct type *elem)
{
	return collection(TYPE_LIST, elem);
}

const struct type *type_set(const struct type *elem)
{
	return collection(TYPE_SET, elem);
}

const struct type *type_map(const struct type *elem)
{
	return collection(TYPE_MAP, elem);
}

const struct type *type_tuple(const struct type *const *elems, size_t n)
{
	struct type t = { .kind = TYPE_TUPLE,
			  .len = (uint32_t)n,
			  .depth = 1,
			  .elems = elems };

	for (size_t i = 0; i < n; i++)
		note_part(&t, elems[i]);
	return intern(&t);
}

/* --- objects --- */

static int attr_cmp(const void *x, const void *y)
{
	const struct type_attr *const *p = x, *const *q = y;
	int c = str_cmp((*p)->name, (*q)->name);

	if (c)
		return c;
	return (*p > *q) - (*p < *q); /* as given: the last of equals wins */
}

static bool in_order(const struct type_attr *attrs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!str_is_plain(attrs[i].name) ||
		    (i && str_cmp(attrs[i - 1].name, attrs[i].name) >= 0))
			return false;
	}
	return true;
}

/* Normalised, sorted, without duplicates; returns how many are left. */
static size_t sort_attrs(struct arena *a, const struct type_attr *attrs,
			 size_t n, struct type_attr **out)
{
	struct type_attr *copy = arena_dup(a, attrs, n * sizeof(*copy));
	struct type_attr *sorted = arena_alloc(a, n * sizeof(*sorted));
	const struct type_attr **order = arena_alloc(a, n * sizeof(*order));
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		copy[i].name = str_nfc(a, copy[i].name);
		order[i] = &copy[i];
	}
	qsort(order, n, sizeof(*order), attr_cmp);
	for (size_t i = 0; i < n; i++) {
		if (len && str_eq(sorted[len - 1].name, order[i]->name))
			len--;
		sorted[len++] = *order[i];
	}
	*out = sorted;
	return len;
}

static const struct type *object_sorted(const struct type_attr *attrs, size_t n)
{
	struct type t = { .kind = TYPE_OBJECT,
			  .len = (uint32_t)n,
			  .depth = 1,
			  .attrs = attrs };

	for (size_t i = 0; i < n; i++) {
		note_part(&t, attrs[i].type);
		t.has_optional |= attrs[i].optional;
	}
	return intern(&t);
}

const struct type *type_object(const struct type_attr *attrs, size_t n)
{
	struct arena scratch = ARENA_INIT;
	struct type_attr *sorted;
	const struct type *t;

	if (in_order(attrs, n))
		return object_sorted(attrs, n);
	n = sort_attrs(&scratch, attrs, n, &sorted);
	t = object_sorted(sorted, n);
	arena_release(&scratch);
	return t;
}

int type_attr_index(const struct type *t, struct str name)
{
	uint32_t lo = 0, hi;

	if (t->kind != TYPE_OBJECT)
		return -1;
	for (hi = t->len; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(t->attrs[mid].name, name);

		if (c == 0)
			return (int)mid;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -1;
}

static const struct type *tuple_without_optional(const struct type *t)
{
	const struct type **elems = xmalloc(t->len * sizeof(*elems));
	const struct type *result;

	for (uint32_t i = 0; i < t->len; i++)
		elems[i] = type_without_optional(t->elems[i]);
	result = type_tuple(elems, t->len);
	free(elems);
	return result;
}

static const struct type *object_without_optional(const struct type *t)
{
	struct type_attr *attrs = xmalloc(t->len * sizeof(*attrs));
	const struct type *result;

	for (uint32_t i = 0; i < t->len; i++) {
		attrs[i].name = t->attrs[i].name;
		attrs[i].type = type_without_optional(t->attrs[i].type);
		attrs[i].optional = false;
	}
	result = object_sorted(attrs, t->len);
	free(attrs);
	return result;
}

const struct type *type_without_optional(const struct type *t)
{
	if (!t->has_optional)
		return t;
	switch (t->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return collection(t->kind, type_without_optional(t->elem));
	case TYPE_TUPLE:
		return tuple_without_optional(t);
	case TYPE_OBJECT:
		return object_without_optional(t);
	default:
		return t;
	}
}

static bool object_conforms(const struct type *given, const struct type *want)
{
	for (uint32_t i = 0; i < want->len; i++) {
		if (!str_eq(given->attrs[i].name, want->attrs[i].name) ||
		    !type_conforms(given->attrs[i].type, want->attrs[i].type))
			return false;
	}
	return true;
}

bool type_conforms(const struct type *given, const struct type *want)
{
	if (given == want || want->kind == TYPE_DYNAMIC)
		return true;
	if (given->kind != want->kind || given->len != want->len)
		return false;
	switch (want->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return type_conforms(given->elem, want->elem);
	case TYPE_TUPLE:
		for (uint32_t i = 0; i < want->len; i++) {
			if (!type_conforms(given->elems[i], want->elems[i]))
				return false;
		}
		return true;
	case TYPE_OBJECT:
		return object_conforms(given, want);
	default:
		return false;
	}
}
