/*
 * codec_msgpack.c - values to msgpack; see codec.h.  Wraps msgpack-c.
 *
 * Numbers are integers or doubles where these hold them exactly, else decimal
 * text.  What is dynamic is [type as JSON, value].  An unknown is a one-byte
 * extension; with refinements it is extension 12, which holds a map of them.
 */
#include <math.h>
#include <msgpack.h>

#include "value/codec.h"
#include "value/msgpack_int.h"
#include "value/number.h"
#include "value/string.h"

static int to_buf(void *data, const char *p, size_t n)
{
	buf_add(data, p, n);
	return 0;
}

static void pack_str(msgpack_packer *pk, struct str s)
{
	msgpack_pack_str_with_body(pk, s.p ? s.p : "", s.n);
}

static void pack_number(msgpack_packer *pk, const struct value *v)
{
	struct arena a = ARENA_INIT;
	int64_t n;
	double d;

	if (value_get_int(v, &n)) {
		msgpack_pack_int64(pk, n);
		return;
	}
	d = value_get_double(v);
	if (number_is_infinite(v) ||
	    (!number_is_integer(v) && isfinite(d) &&
	     number_cmp(value_double(&a, d), v) == 0))
		msgpack_pack_double(pk, d);
	else
		pack_str(pk, value_number_text(&a, v));
	arena_release(&a);
}

/* --- unknown values --- */

static void pack_bound(msgpack_packer *pk, enum refinement_key key,
		       const struct value *bound, bool inclusive)
{
	msgpack_pack_int(pk, (int)key);
	msgpack_pack_array(pk, 2);
	pack_number(pk, bound);
	inclusive ? msgpack_pack_true(pk) : msgpack_pack_false(pk);
}

/* Readers take no more than 1,024 bytes of refinements; 256 of a prefix tell
 * as much as anyone asks. */
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
static unsigned pack_refinements(msgpack_packer *pk,
				 const struct refinement *r)
{
	struct arena a = ARENA_INIT;
	struct str prefix = short_prefix(&a, r->prefix);
	unsigned n = 0;

	if (r->not_null) {
		msgpack_pack_int(pk, REFINED_NULL);
		msgpack_pack_false(pk);
		n++;
	}
	if (prefix.n) {
		msgpack_pack_int(pk, REFINED_PREFIX);
		pack_str(pk, prefix);
		n++;
	}
	if (r->min) {
		pack_bound(pk, REFINED_MIN, r->min, r->min_inclusive);
		n++;
	}
	if (r->max) {
		pack_bound(pk, REFINED_MAX, r->max, r->max_inclusive);
		n++;
	}
	if (r->len_min) {
		msgpack_pack_int(pk, REFINED_LEN_MIN);
		msgpack_pack_uint64(pk, r->len_min);
		n++;
	}
	if (r->len_max <= INT64_MAX) {
		msgpack_pack_int(pk, REFINED_LEN_MAX);
		msgpack_pack_uint64(pk, r->len_max);
		n++;
	}
	arena_release(&a);
	return n;
}

static void pack_unknown(msgpack_packer *pk, const struct value *v)
{
	struct buf entries = BUF_INIT, head = BUF_INIT;
	msgpack_packer sub;
	unsigned n;

	msgpack_packer_init(&sub, &entries, to_buf);
	n = pack_refinements(&sub, value_refinement(v));
	if (!n) {
		msgpack_pack_ext_with_body(pk, "", 1, 0);
	} else {
		msgpack_packer_init(&sub, &head, to_buf);
		msgpack_pack_map(&sub, n);
		msgpack_pack_ext(pk, head.len + entries.len, REFINEMENTS_EXT);
		msgpack_pack_ext_body(pk, head.p, head.len);
		msgpack_pack_ext_body(pk, entries.p, entries.len);
	}
	buf_release(&head);
	buf_release(&entries);
}

/* --- everything else --- */

static void pack(msgpack_packer *pk, const struct value *v,
		 const struct type *t);

static void pack_dynamic(msgpack_packer *pk, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .html = true };

	type_to_json(&w, v->type);
	msgpack_pack_array(pk, 2);
	msgpack_pack_bin_with_body(pk, b.p, b.len);
	buf_release(&b);
	pack(pk, v, v->type);
}

static void pack_composite(msgpack_packer *pk, const struct value *v,
			   const struct type *t)
{
	bool named = t->kind == TYPE_MAP || t->kind == TYPE_OBJECT;

	named ? msgpack_pack_map(pk, v->len) : msgpack_pack_array(pk, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		if (t->kind == TYPE_MAP)
			pack_str(pk, v->keys[i]);
		else if (t->kind == TYPE_OBJECT)
			pack_str(pk, t->attrs[i].name);
		pack(pk, v->elems[i], t->kind == TYPE_TUPLE ? t->elems[i] :
				      t->kind == TYPE_OBJECT ?
							      t->attrs[i].type :
							      t->elem);
	}
}

static void pack(msgpack_packer *pk, const struct value *v,
		 const struct type *t)
{
	if (t == &type_dynamic && v->type != &type_dynamic) {
		pack_dynamic(pk, v);
		return;
	}
	if (v->state == VALUE_UNKNOWN) {
		pack_unknown(pk, v);
		return;
	}
	if (v->state == VALUE_NULL) {
		msgpack_pack_nil(pk);
		return;
	}
	switch (t->kind) {
	case TYPE_BOOL:
		v->boolean ? msgpack_pack_true(pk) : msgpack_pack_false(pk);
		break;
	case TYPE_NUMBER:
		pack_number(pk, v);
		break;
	case TYPE_STRING:
		pack_str(pk, v->string);
		break;
	default:
		pack_composite(pk, v, t);
	}
}

int value_to_msgpack(struct buf *out, const struct value *v,
		     const struct type *t)
{
	struct arena a = ARENA_INIT;
	struct verror err;
	msgpack_packer pk;

	t = type_without_optional(t);
	if (!type_conforms(v->type, t))
		v = convert(&a, v, t, &err);
	if (v) {
		msgpack_packer_init(&pk, out, to_buf);
		pack(&pk, v, t);
	}
	arena_release(&a);
	return v ? 0 : -1;
}
