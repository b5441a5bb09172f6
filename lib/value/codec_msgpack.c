/*
 * codec_msgpack.c - values to msgpack
 *
 * Numbers are integers or doubles where these hold them exactly, else decimal
 * text.  A dynamic value is [type as JSON, value].  An unknown is a one-byte
 * extension; with refinements it is extension 12, which holds a map of them.
 */
#include <math.h>

#include "value/codec_msgpack.h"
#include "json/write.h"
#include "value/convert.h"
#include "value/value_int.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/string.h"
#include "value/type.h"

static void pack_number(struct buf *out, const struct value *v)
{
	struct arena a = ARENA_INIT;
	int64_t n;
	double d;

	if (value_get_int(v, &n)) {
		msgpack_put_int(out, n);
		return;
	}
	d = value_get_double(v);
	if (number_is_infinite(v) || (!number_is_integer(v) && isfinite(d) &&
				      number_cmp(value_double(&a, d), v) == 0))
		msgpack_put_double(out, d);
	else
		msgpack_put_str(out, value_number_text(&a, v));
	arena_release(&a);
}

/* --- unknown values --- */

static void pack_bound(struct buf *out, enum refinement_key key,
		       const struct value *bound, bool inclusive)
{
	msgpack_put_int(out, key);
	msgpack_put_array(out, 2);
	pack_number(out, bound);
	msgpack_put_bool(out, inclusive);
}

/* Readers take no more than 1,024 bytes of refinements; 256 of a prefix are
 * enough for any use. */
static struct str short_prefix(struct arena *a, struct str s)
{
	size_t n = 255;

	if (s.n <= 256)
		return s;
	while (n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return str_safe_prefix(a, str_sub(s, 0, n));
}

/* The entries of the map; returns how many. */
static unsigned pack_refinements(struct buf *out, const struct refinement *r)
{
	struct arena a = ARENA_INIT;
	struct str prefix = short_prefix(&a, r->prefix);
	unsigned n = 0;

	if (r->not_null) {
		msgpack_put_int(out, REFINED_NULL);
		msgpack_put_bool(out, false);
		n++;
	}
	if (prefix.n) {
		msgpack_put_int(out, REFINED_PREFIX);
		msgpack_put_str(out, prefix);
		n++;
	}
	if (r->min) {
		pack_bound(out, REFINED_MIN, r->min, r->min_inclusive);
		n++;
	}
	if (r->max) {
		pack_bound(out, REFINED_MAX, r->max, r->max_inclusive);
		n++;
	}
	if (r->len_min) {
		msgpack_put_int(out, REFINED_LEN_MIN);
		msgpack_put_uint(out, r->len_min);
		n++;
	}
	if (r->len_max <= INT64_MAX) {
		msgpack_put_int(out, REFINED_LEN_MAX);
		msgpack_put_uint(out, r->len_max);
		n++;
	}
	arena_release(&a);
	return n;
}

static void pack_unknown(struct buf *out, const struct value *v)
{
	struct buf entries = BUF_INIT, body = BUF_INIT;
	const unsigned n = pack_refinements(&entries, value_refinement(v));

	if (n) {
		msgpack_put_map(&body, n);
		buf_str(&body, buf_view(&entries));
		msgpack_put_ext(out, REFINEMENTS_EXT, buf_view(&body));
	} else {
		msgpack_put_ext(out, 0, str_sub(STR("\0"), 0, 1));
	}
	buf_release(&body);
	buf_release(&entries);
}

/* --- everything else --- */

static void pack(struct buf *out, const struct value *v, const struct type *t);

static void pack_dynamic(struct buf *out, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .html = true };

	type_to_json(&w, v->type);
	msgpack_put_array(out, 2);
	msgpack_put_bin(out, buf_view(&b));
	buf_release(&b);
	pack(out, v, v->type);
}

static void pack_composite(struct buf *out, const struct value *v,
			   const struct type *t)
{
	bool named = t->kind == TYPE_MAP || t->kind == TYPE_OBJECT;

	named ? msgpack_put_map(out, v->len) : msgpack_put_array(out, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		if (t->kind == TYPE_MAP)
			msgpack_put_str(out, v->keys[i]);
		else if (t->kind == TYPE_OBJECT)
			msgpack_put_str(out, t->attrs[i].name);
		pack(out, v->elems[i],
		     t->kind == TYPE_TUPLE    ? t->elems[i]
		     : t->kind == TYPE_OBJECT ? t->attrs[i].type
					      : t->elem);
	}
}

static void pack(struct buf *out, const struct value *v, const struct type *t)
{
	if (t == &type_dynamic && v->type != &type_dynamic) {
		pack_dynamic(out, v);
		return;
	}
	if (v->state == VALUE_UNKNOWN) {
		pack_unknown(out, v);
		return;
	}
	if (v->state == VALUE_NULL) {
		msgpack_put_nil(out);
		return;
	}
	switch (t->kind) {
	case TYPE_BOOL:
		msgpack_put_bool(out, v->boolean);
		break;
	case TYPE_NUMBER:
		pack_number(out, v);
		break;
	case TYPE_STRING:
		msgpack_put_str(out, v->string);
		break;
	default:
		pack_composite(out, v, t);
	}
}

int value_to_msgpack(struct buf *out, const struct value *v,
		     const struct type *t)
{
	struct arena a = ARENA_INIT;
	struct verror err;

	t = type_without_optional(t);
	if (!type_conforms(v->type, t))
		v = convert(&a, v, t, &err);
	if (v)
		pack(out, v, t);
	arena_release(&a);
	return v ? 0 : -1;
}
