/*
 * codec_msgpack_read.c - values from msgpack; see codec.h
 *
 * Read by hand, guided by the type: msgpack-c's own reader builds a tree
 * first, gives up at 32 levels (there are real values deeper than that) and
 * allocates what a header promises before it has seen it.  Here a promised
 * length is believed only if so many bytes are left, and depth is limited.
 */
#include <math.h>

#include "value/codec.h"
#include "value/convert_int.h"
#include "value/msgpack_int.h"
#include "value/number.h"
#include "value/string.h"

enum { LARGEST_REFINEMENTS = 1024 };

struct reader {
	struct conversion c; /* arena and error */
	const unsigned char *p, *end;
	unsigned depth;
};

/* The head of an item. */
struct item {
	enum {
		ITEM_NIL,
		ITEM_BOOL,
		ITEM_INT,    /* .n */
		ITEM_UINT,   /* .u: too large for ITEM_INT */
		ITEM_DOUBLE, /* .d */
		ITEM_BYTES,  /* str or bin; .body */
		ITEM_ARRAY,  /* .len items follow */
		ITEM_MAP,    /* .len pairs follow */
		ITEM_EXT,    /* .code, .body */
	} kind;
	union {
		int64_t n;
		uint64_t u;
		double d;
		bool boolean;
		uint32_t len;
		struct str body;
	};
	int code;
};

static const struct value *fail(struct reader *r, const struct frame *at,
				const char *message)
{
	return convert_fail(&r->c, at, str_c(message));
}

/* --- bytes --- */

static bool take(struct reader *r, size_t n, const unsigned char **p)
{
	if ((size_t)(r->end - r->p) < n)
		return false;
	*p = r->p;
	r->p += n;
	return true;
}

/* A big-endian unsigned number of n bytes. */
static bool take_uint(struct reader *r, size_t n, uint64_t *out)
{
	const unsigned char *p;

	*out = 0;
	if (!take(r, n, &p))
		return false;
	for (size_t i = 0; i < n; i++)
		*out = *out << 8 | p[i];
	return true;
}

static bool take_body(struct reader *r, uint64_t n, struct str *body)
{
	const unsigned char *p;

	if (n > SIZE_MAX || !take(r, (size_t)n, &p))
		return false;
	*body = (struct str){ (const char *)p, (size_t)n };
	return true;
}

static bool bytes_of(struct reader *r, struct item *it, uint64_t n)
{
	it->kind = ITEM_BYTES;
	return take_body(r, n, &it->body);
}

static bool sized_bytes(struct reader *r, struct item *it, size_t width)
{
	uint64_t n;

	return take_uint(r, width, &n) && bytes_of(r, it, n);
}

/* Each item takes a byte at least, each pair two. */
static bool container(struct reader *r, struct item *it, bool map, uint64_t n)
{
	it->kind = map ? ITEM_MAP : ITEM_ARRAY;
	it->len = (uint32_t)n;
	return n <= (uint64_t)(r->end - r->p) / (map ? 2 : 1);
}

static bool sized_container(struct reader *r, struct item *it, bool map,
			    size_t width)
{
	uint64_t n;

	return take_uint(r, width, &n) && container(r, it, map, n);
}

static bool ext_of(struct reader *r, struct item *it, uint64_t n)
{
	uint64_t code;

	it->kind = ITEM_EXT;
	if (!take_uint(r, 1, &code))
		return false;
	it->code = (int)(int8_t)code;
	return take_body(r, n, &it->body);
}

static bool sized_ext(struct reader *r, struct item *it, size_t width)
{
	uint64_t n;

	return take_uint(r, width, &n) && ext_of(r, it, n);
}

static bool unsigned_of(struct reader *r, struct item *it, size_t width)
{
	uint64_t u;

	if (!take_uint(r, width, &u))
		return false;
	it->kind = u > INT64_MAX ? ITEM_UINT : ITEM_INT;
	it->u = u;
	return true;
}

static bool signed_of(struct reader *r, struct item *it, size_t width)
{
	uint64_t u;
	unsigned shift = 64 - 8 * (unsigned)width;

	if (!take_uint(r, width, &u))
		return false;
	it->kind = ITEM_INT;
	it->n = (int64_t)(u << shift) >> shift;
	return true;
}

static bool double_of(struct reader *r, struct item *it, size_t width)
{
	uint64_t u;
	uint32_t narrow;
	float f;

	if (!take_uint(r, width, &u))
		return false;
	it->kind = ITEM_DOUBLE;
	if (width == 8) {
		memcpy(&it->d, &u, 8);
		return true;
	}
	narrow = (uint32_t)u;
	memcpy(&f, &narrow, 4);
	it->d = f;
	return true;
}

/* The codes from 0xc0 to 0xdf. */
static bool take_coded(struct reader *r, struct item *it, unsigned code)
{
	switch (code) {
	case 0xc0:
		it->kind = ITEM_NIL;
		return true;
	case 0xc2:
	case 0xc3:
		it->kind = ITEM_BOOL;
		it->boolean = code == 0xc3;
		return true;
	case 0xc4: /* bin 8, 16, 32 */
	case 0xc5:
	case 0xc6:
		return sized_bytes(r, it, (size_t)1 << (code - 0xc4));
	case 0xc7: /* ext 8, 16, 32 */
	case 0xc8:
	case 0xc9:
		return sized_ext(r, it, (size_t)1 << (code - 0xc7));
	case 0xca:
		return double_of(r, it, 4);
	case 0xcb:
		return double_of(r, it, 8);
	case 0xcc: /* uint 8 to 64 */
	case 0xcd:
	case 0xce:
	case 0xcf:
		return unsigned_of(r, it, (size_t)1 << (code - 0xcc));
	case 0xd0: /* int 8 to 64 */
	case 0xd1:
	case 0xd2:
	case 0xd3:
		return signed_of(r, it, (size_t)1 << (code - 0xd0));
	case 0xd4: /* fixext 1 to 16 */
	case 0xd5:
	case 0xd6:
	case 0xd7:
	case 0xd8:
		return ext_of(r, it, (uint64_t)1 << (code - 0xd4));
	case 0xd9: /* str 8, 16, 32 */
	case 0xda:
	case 0xdb:
		return sized_bytes(r, it, (size_t)1 << (code - 0xd9));
	case 0xdc: /* array 16, 32; map 16, 32 */
	case 0xdd:
		return sized_container(r, it, false, code == 0xdc ? 2 : 4);
	case 0xde:
	case 0xdf:
		return sized_container(r, it, true, code == 0xde ? 2 : 4);
	default:
		return false;
	}
}

/* The next item: scalars whole, containers their head.  False at the end, on
 * what is not msgpack, and when a length cannot be true. */
static bool take_item(struct reader *r, struct item *it)
{
	uint64_t code;

	if (!take_uint(r, 1, &code))
		return false;
	if (code < 0x80 || code >= 0xe0) {
		it->kind = ITEM_INT;
		it->n = (int8_t)code;
		return true;
	}
	if (code < 0x90)
		return container(r, it, true, code & 0x0f);
	if (code < 0xa0)
		return container(r, it, false, code & 0x0f);
	if (code < 0xc0)
		return bytes_of(r, it, code & 0x1f);
	return take_coded(r, it, (unsigned)code);
}

/* --- primitive values --- */

static const struct value *number_of(struct reader *r, const struct item *it)
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
static struct str text_of(struct reader *r, struct str body)
{
	struct str s = str_utf8_repair(r->c.arena, body);

	if (s.p == body.p)
		s = str_dup(r->c.arena, body);
	return str_nfc(r->c.arena, s);
}

static const struct value *read_primitive(struct reader *r,
					  const struct frame *at,
					  const struct item *it,
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

/* Steps over an item of which only the head was read. */
static bool skip_rest(struct reader *r, const struct item *head)
{
	uint64_t left = 0;
	struct item it = *head;

	for (;;) {
		if (it.kind == ITEM_ARRAY)
			left += it.len;
		else if (it.kind == ITEM_MAP)
			left += 2 * (uint64_t)it.len;
		if (!left)
			return true;
		left--;
		if (!take_item(r, &it))
			return false;
	}
}

static bool read_bound(struct reader *r, const struct item *head,
		       const struct value **bound, bool *inclusive)
{
	struct item it;

	if (head->kind != ITEM_ARRAY || head->len != 2 || !take_item(r, &it))
		return false;
	*bound = number_of(r, &it);
	if (!*bound || !take_item(r, &it) || it.kind != ITEM_BOOL)
		return false;
	*inclusive = it.boolean;
	return true;
}

static bool read_length(const struct item *it, uint64_t *out)
{
	if (it->kind != ITEM_INT)
		return false;
	*out = it->n < 0 ? 0 : (uint64_t)it->n;
	return true;
}

/* One entry. What does not belong to the type is refused; keys that nobody
 * knows yet are stepped over. */
static bool read_refinement(struct reader *r, const struct type *t,
			    struct refinement *ref, bool *null)
{
	struct item key, it;

	if (!take_item(r, &key) || key.kind != ITEM_INT || !take_item(r, &it))
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
		return skip_rest(r, &it);
	}
}

static const struct value *read_unknown(struct reader *r,
					const struct frame *at,
					const struct item *ext,
					const struct type *t)
{
	struct refinement ref = refinement_none;
	struct reader sub = *r;
	struct item map;
	bool null = false;

	if (ext->body.n <= 1)
		return value_unknown(r->c.arena, t);
	if (ext->code != REFINEMENTS_EXT)
		return fail(r, at, "unsupported extension type");
	if (ext->body.n > LARGEST_REFINEMENTS)
		return fail(r, at, "oversize unknown value refinement");
	sub.p = (const unsigned char *)ext->body.p;
	sub.end = sub.p + ext->body.n;
	if (!take_item(&sub, &map) || map.kind != ITEM_MAP)
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

static const struct value *read_value(struct reader *r, const struct frame *at,
				      const struct type *t);

static const struct value *uneven(struct reader *r, const struct frame *at)
{
	return fail(r, at, "all elements must have the same type");
}

static const struct value *read_sequence(struct reader *r,
					 const struct frame *at,
					 const struct item *it,
					 const struct type *t)
{
	struct arena *a = r->c.arena;
	const struct value **elems, *v;

	if (it->kind != ITEM_ARRAY)
		return fail(r, at, t->kind == TYPE_LIST ? "a list is required" :
				   t->kind == TYPE_SET	? "a set is required" :
							  "a tuple is required");
	if (t->kind == TYPE_TUPLE && it->len != t->len)
		return fail(r, at,
			    arena_printf(a, "a tuple of length %u is required",
					 (unsigned)t->len));
	elems = arena_alloc(a, it->len * sizeof(*elems));
	for (uint32_t i = 0; i < it->len; i++) {
		struct frame here = frame_index(at, i);

		elems[i] = read_value(r, &here, t->kind == TYPE_TUPLE ?
							t->elems[i] : t->elem);
		if (!elems[i])
			return NULL;
	}
	if (t->kind == TYPE_TUPLE)
		return value_tuple(a, elems, it->len);
	if (t->kind == TYPE_SET) {
		v = it->len && t->has_dynamic ?
			    make_set(a, elems, it->len) :
			    value_set(a, t->elem, elems, it->len);
		return v ? v : uneven(r, at);
	}
	v = it->len && t->has_dynamic ? make_list(a, elems, it->len) :
					value_list(a, t->elem, elems, it->len);
	return v ? v : uneven(r, at);
}

static bool take_name(struct reader *r, struct str *name)
{
	struct item it;

	if (!take_item(r, &it) || it.kind != ITEM_BYTES)
		return false;
	*name = text_of(r, it.body);
	return true;
}

static const struct value *read_map(struct reader *r, const struct frame *at,
				    const struct item *it,
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
	v = it->len && t->has_dynamic ?
		    make_map(a, keys, elems, it->len) :
		    value_map(a, t->elem, keys, elems, it->len);
	return v ? v : uneven(r, at);
}

static const struct value *finish_object(struct reader *r,
					 const struct frame *at,
					 const struct type *t,
					 const struct value **elems)
{
	struct str *names;

	for (uint32_t i = 0; i < t->len; i++) {
		if (!elems[i])
			return fail(r, at, "duplicate attribute");
	}
	if (!t->has_dynamic)
		return value_object_of(r->c.arena, t, elems);
	names = arena_alloc(r->c.arena, t->len * sizeof(*names));
	for (uint32_t i = 0; i < t->len; i++)
		names[i] = t->attrs[i].name;
	return value_object(r->c.arena, names, elems, t->len);
}

static const struct value *read_object(struct reader *r,
				       const struct frame *at,
				       const struct item *it,
				       const struct type *t)
{
	const struct value **elems;

	if (it->kind != ITEM_MAP)
		return fail(r, at, "an object is required");
	if (it->len != t->len)
		return fail(r, at,
			    arena_printf(r->c.arena,
					 "an object with %u attributes is "
					 "required (%u given)",
					 (unsigned)t->len, (unsigned)it->len));
	elems = arena_alloc0(r->c.arena, t->len * sizeof(*elems));
	for (uint32_t i = 0; i < t->len; i++) {
		struct frame here = frame_attr(at, STR_NONE);
		int to;

		if (!take_name(r, &here.attr))
			return fail(r, at, "all keys must be strings");
		to = type_attr_index(t, here.attr);
		if (to < 0)
			return fail(r, &here, "unsupported attribute");
		elems[to] = read_value(r, &here, t->attrs[to].type);
		if (!elems[to])
			return NULL;
	}
	return finish_object(r, at, t, elems);
}

static const struct value *read_dynamic(struct reader *r,
					const struct frame *at,
					const struct item *it)
{
	struct json_error err;
	const struct json *j;
	const struct type *t;
	struct item type;

	if (it->kind == ITEM_NIL)
		return &value_null_dynamic;
	if (it->kind != ITEM_ARRAY || it->len != 2)
		return fail(r, at, "dynamic value array must have exactly two "
				   "elements");
	if (!take_item(r, &type) || type.kind != ITEM_BYTES)
		return fail(r, at, "dynamic value has no type");
	j = json_parse(r->c.arena, type.body, &err);
	t = j ? type_from_json(r->c.arena, j) : NULL;
	if (!t)
		return fail(r, at, "dynamic value has an invalid type");
	return read_value(r, at, type_without_optional(t));
}

static const struct value *read_typed(struct reader *r, const struct frame *at,
				      const struct type *t)
{
	struct item it;

	if (!take_item(r, &it))
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

static const struct value *read_value(struct reader *r, const struct frame *at,
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
				       const struct type *t,
				       struct verror *err)
{
	struct reader r = { .c = { a, err } };

	r.p = (const unsigned char *)bytes.p;
	r.end = r.p + bytes.n;
	return read_value(&r, NULL, type_without_optional(t));
}
