/*
 * codec_msgpack_read.c - values from msgpack
 *
 * Guided by the type, item by item (msgpack_item.c).  Whatever the bytes,
 * depth and memory are bounded.
 */
#include <math.h>

#include "value/codec_msgpack.h"
#include "json/read.h"
#include "value/value_int.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"
#include "value/string.h"
#include "value/type.h"

enum { LARGEST_REFINEMENTS = 1024 };

struct msgpack_reader {
	struct conversion c; /* arena and error */
	struct msgpack_input in;
	unsigned depth;
};

static const struct value *fail(struct msgpack_reader *r,
				const struct frame *at, const char *message)
{
	return convert_fail(&r->c, at, str_c(message));
}

/* --- primitive values --- */

static const struct value *number_of(struct msgpack_reader *r,
				     const struct msgpack_item *it)
{
	MPFR_DECL_INIT(n, 64);

	switch (it->kind) {
	case ITEM_INT:
		return value_int(r->c.arena, it->n);
	case ITEM_UINT:
		mpfr_set_uj(n, it->u, MPFR_RNDN);
		return number_new(r->c.arena, n);
	case ITEM_DOUBLE:
		return isnan(it->d) ? NULL : value_double(r->c.arena, it->d);
	case ITEM_BYTES:
		return value_number_parse(r->c.arena, it->body);
	default:
		return NULL;
	}
}

/* Text as a value keeps it: its own copy, valid UTF-8, NFC. */
static struct str text_of(struct msgpack_reader *r, struct str body)
{
	struct str s = str_utf8_repair(r->c.arena, body);

	if (s.p == body.p)
		s = str_dup(r->c.arena, body);
	return str_nfc(r->c.arena, s);
}

static const struct value *read_primitive(struct msgpack_reader *r,
					  const struct frame *at,
					  const struct msgpack_item *it,
					  const struct type *t)
{
	const struct value *n;

	if (t == &type_bool) {
		if (it->kind == ITEM_BOOL)
			return value_bool(it->boolean);
		return fail(r, at, "bool is required");
	}
	if (t == &type_number) {
		n = number_of(r, it);
		return n ? n : fail(r, at, "number is required");
	}
	if (it->kind != ITEM_BYTES)
		return fail(r, at, "string is required");
	return value_string(r->c.arena, text_of(r, it->body));
}

/* --- refinements --- */

static bool read_bound(struct msgpack_reader *r,
		       const struct msgpack_item *head,
		       const struct value **bound, bool *inclusive)
{
	struct msgpack_item it;

	if (head->kind != ITEM_ARRAY || head->len != 2 ||
	    !msgpack_take(&r->in, &it))
		return false;
	*bound = number_of(r, &it);
	if (!*bound || !msgpack_take(&r->in, &it) || it.kind != ITEM_BOOL)
		return false;
	*inclusive = it.boolean;
	return true;
}

static bool read_length(const struct msgpack_item *it, uint64_t *out)
{
	if (it->kind != ITEM_INT)
		return false;
	*out = it->n < 0 ? 0 : (uint64_t)it->n;
	return true;
}

/* One entry. Refinements that do not fit the type are refused; unknown keys are
 * skipped. */
static bool read_refinement(struct msgpack_reader *r, const struct type *t,
			    struct refinement *ref, bool *null)
{
	struct msgpack_item key, it;

	if (!msgpack_take(&r->in, &key) || key.kind != ITEM_INT ||
	    !msgpack_take(&r->in, &it))
		return false;
	switch (key.n) {
	case REFINED_NULL:
		if (it.kind != ITEM_BOOL)
			return false;
		*null = it.boolean;
		ref->not_null = !it.boolean;
		return true;
	case REFINED_PREFIX:
		if (t != &type_string || it.kind != ITEM_BYTES ||
		    !str_utf8_valid(it.body))
			return false;
		ref->prefix = text_of(r, it.body);
		return true;
	case REFINED_MIN:
		return t == &type_number &&
		       read_bound(r, &it, &ref->min, &ref->min_inclusive);
	case REFINED_MAX:
		return t == &type_number &&
		       read_bound(r, &it, &ref->max, &ref->max_inclusive);
	case REFINED_LEN_MIN:
		return type_is_collection(t) && read_length(&it, &ref->len_min);
	case REFINED_LEN_MAX:
		return type_is_collection(t) && read_length(&it, &ref->len_max);
	default:
		return msgpack_skip_rest(&r->in, &it);
	}
}

static const struct value *read_unknown(struct msgpack_reader *r,
					const struct frame *at,
					const struct msgpack_item *ext,
					const struct type *t)
{
	struct refinement ref = refinement_none;
	struct msgpack_reader sub = *r;
	struct msgpack_item map;
	bool null = false;

	if (ext->body.n <= 1)
		return value_unknown(r->c.arena, t);
	if (ext->code != REFINEMENTS_EXT)
		return fail(r, at, "unsupported extension type");
	if (ext->body.n > LARGEST_REFINEMENTS)
		return fail(r, at, "oversize unknown value refinement");
	sub.in = msgpack_input(ext->body);
	if (!msgpack_take(&sub.in, &map) || map.kind != ITEM_MAP)
		return fail(r, at, "invalid unknown value refinement");
	if (t == &type_dynamic)
		return &value_unknown_dynamic;
	for (uint32_t i = 0; i < map.len; i++) {
		if (!read_refinement(&sub, t, &ref, &null))
			return fail(r, at, "invalid unknown value refinement");
	}
	if (null)
		return value_null(r->c.arena, t);
	return value_unknown_refined(r->c.arena, t, &ref);
}

/* --- composite values --- */

static const struct value *read_value(struct msgpack_reader *r,
				      const struct frame *at,
				      const struct type *t);

static const struct value *uneven(struct msgpack_reader *r,
				  const struct frame *at)
{
	return fail(r, at, "all elements must have the same type");
}

static const struct value *read_sequence(struct msgpack_reader *r,
					 const struct frame *at,
					 const struct msgpack_item *it,
					 const struct type *t)
{
	struct arena *a = r->c.arena;
	const struct value **elems, *v;

	if (it->kind != ITEM_ARRAY)
		return fail(r, at,
			    t->kind == TYPE_LIST  ? "a list is required"
			    : t->kind == TYPE_SET ? "a set is required"
						  : "a tuple is required");
	if (t->kind == TYPE_TUPLE && it->len != t->len)
		return fail(r, at,
			    arena_printf(a, "a tuple of length %u is required",
					 (unsigned)t->len));
	elems = arena_alloc(a, it->len * sizeof(*elems));
	for (uint32_t i = 0; i < it->len; i++) {
		struct frame here = frame_index(at, i);

		elems[i] = read_value(r, &here,
				      t->kind == TYPE_TUPLE ? t->elems[i]
							    : t->elem);
		if (!elems[i])
			return NULL;
	}
	if (!t->has_dynamic && t->kind != TYPE_SET)
		return value_of_elems(a, t, elems, it->len);
	if (t->kind == TYPE_TUPLE)
		return value_tuple(a, elems, it->len);
	if (t->kind == TYPE_SET) {
		v = it->len && t->has_dynamic
			    ? value_make_set(a, elems, it->len)
			    : value_set(a, t->elem, elems, it->len);
		return v ? v : uneven(r, at);
	}
	v = it->len ? value_make_list(a, elems, it->len)
		    : value_of_elems(a, t, elems, 0);
	return v ? v : uneven(r, at);
}

static bool take_name(struct msgpack_reader *r, struct str *name)
{
	struct msgpack_item it;

	if (!msgpack_take(&r->in, &it) || it.kind != ITEM_BYTES)
		return false;
	*name = text_of(r, it.body);
	return true;
}

static const struct value *read_map(struct msgpack_reader *r,
				    const struct frame *at,
				    const struct msgpack_item *it,
				    const struct type *t)
{
	struct arena *a = r->c.arena;
	const struct value **elems, *v;
	struct str *keys;

	if (it->kind != ITEM_MAP)
		return fail(r, at, "a map is required");
	keys = arena_alloc(a, it->len * sizeof(*keys));
	elems = arena_alloc(a, it->len * sizeof(*elems));
	for (uint32_t i = 0; i < it->len; i++) {
		struct frame here;

		if (!take_name(r, &keys[i]))
			return fail(r, at, "non-string key in map");
		here = frame_key(at, keys[i]);
		elems[i] = read_value(r, &here, t->elem);
		if (!elems[i])
			return NULL;
	}
	v = it->len && t->has_dynamic
		    ? value_make_map(a, keys, elems, it->len)
		    : value_map(a, t->elem, keys, elems, it->len);
	return v ? v : uneven(r, at);
}

static const struct value *finish_object(struct msgpack_reader *r,
					 const struct frame *at,
					 const struct type *t,
					 const struct value **elems)
{
	struct str *names;

	for (uint32_t i = 0; i < t->len; i++) {
		struct frame here = frame_attr(at, t->attrs[i].name);

		if (!elems[i])
			return fail(r, &here, "attribute missing");
	}
	if (!t->has_dynamic)
		return value_of_elems(r->c.arena, t, elems, t->len);
	names = arena_alloc(r->c.arena, t->len * sizeof(*names));
	for (uint32_t i = 0; i < t->len; i++)
		names[i] = t->attrs[i].name;
	return value_object(r->c.arena, names, elems, t->len);
}

static const struct value *read_object(struct msgpack_reader *r,
				       const struct frame *at,
				       const struct msgpack_item *it,
				       const struct type *t)
{
	const struct value **elems;

	if (it->kind != ITEM_MAP)
		return fail(r, at, "an object is required");
	elems = arena_alloc0(r->c.arena, t->len * sizeof(*elems));
	for (uint32_t i = 0; i < it->len; i++) {
		struct frame here = frame_attr(at, STR_NONE);
		struct msgpack_item key;
		int to;

		if (!msgpack_take(&r->in, &key) || key.kind != ITEM_BYTES)
			return fail(r, at, "all keys must be strings");
		here.attr = str_nfc(r->c.arena, key.body);
		to = type_attr_index(t, here.attr);
		if (to < 0)
			return fail(r, &here, "unsupported attribute");
		if (elems[to])
			return fail(r, &here, "duplicate attribute");
		elems[to] = read_value(r, &here, t->attrs[to].type);
		if (!elems[to])
			return NULL;
	}
	return finish_object(r, at, t, elems);
}

static const struct value *read_dynamic(struct msgpack_reader *r,
					const struct frame *at,
					const struct msgpack_item *it)
{
	struct json_error err;
	const struct json *j;
	const struct type *t;
	struct msgpack_item type;

	if (it->kind == ITEM_NIL)
		return &value_null_dynamic;
	if (it->kind != ITEM_ARRAY || it->len != 2)
		return fail(
			r, at,
			"dynamic value array must have exactly two elements");
	if (!msgpack_take(&r->in, &type) || type.kind != ITEM_BYTES)
		return fail(r, at, "dynamic value has no type");
	j = json_parse(r->c.arena, type.body, &err);
	t = j ? type_from_json(r->c.arena, j) : NULL;
	if (!t)
		return fail(r, at, "dynamic value has an invalid type");
	return read_value(r, at, type_without_optional(t));
}

static const struct value *read_typed(struct msgpack_reader *r,
				      const struct frame *at,
				      const struct type *t)
{
	struct msgpack_item it;

	if (!msgpack_take(&r->in, &it))
		return fail(r, at, "the encoding is cut short or invalid");
	if (it.kind == ITEM_EXT)
		return read_unknown(r, at, &it, t);
	if (t->kind == TYPE_DYNAMIC)
		return read_dynamic(r, at, &it);
	if (it.kind == ITEM_NIL)
		return value_null(r->c.arena, t);
	switch (t->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_TUPLE:
		return read_sequence(r, at, &it, t);
	case TYPE_MAP:
		return read_map(r, at, &it, t);
	case TYPE_OBJECT:
		return read_object(r, at, &it, t);
	default:
		return read_primitive(r, at, &it, t);
	}
}

static const struct value *read_value(struct msgpack_reader *r,
				      const struct frame *at,
				      const struct type *t)
{
	const struct value *v;

	if (r->depth == TYPE_DEPTH_MAX)
		return fail(r, at, "nested more than 1,000 levels deep");
	r->depth++;
	v = read_typed(r, at, t);
	r->depth--;
	return v;
}

const struct value *value_from_msgpack(struct arena *a, struct str bytes,
				       const struct type *t, struct verror *err)
{
	struct msgpack_reader r = { .c = { a, err },
				    .in = msgpack_input(bytes) };

	return read_value(&r, NULL, type_without_optional(t));
}
