/*
 * msgpack_item.c - takes items of msgpack, see value_int.h
 *
 * By hand, as is msgpack_put.c: msgpack-c's reader builds a tree first, gives
 * up at 32 levels (there are real values deeper than that) and allocates what a
 * header promises before it has seen it.
 */
#include "value/value_int.h"

static bool take(struct msgpack_input *in, size_t n, const unsigned char **p)
{
	if ((size_t)(in->end - in->p) < n)
		return false;
	*p = in->p;
	in->p += n;
	return true;
}

/* A big-endian unsigned number of n bytes. */
static bool take_uint(struct msgpack_input *in, size_t n, uint64_t *out)
{
	const unsigned char *p;

	*out = 0;
	if (!take(in, n, &p))
		return false;
	for (size_t i = 0; i < n; i++)
		*out = *out << 8 | p[i];
	return true;
}

static bool take_body(struct msgpack_input *in, uint64_t n, struct str *body)
{
	const unsigned char *p;

	if (n > SIZE_MAX || !take(in, (size_t)n, &p))
		return false;
	*body = (struct str){ (const char *)p, (size_t)n };
	return true;
}

static bool bytes_of(struct msgpack_input *in, struct msgpack_item *it,
		     uint64_t n)
{
	it->kind = ITEM_BYTES;
	return take_body(in, n, &it->body);
}

static bool sized_bytes(struct msgpack_input *in, struct msgpack_item *it,
			size_t width)
{
	uint64_t n;

	return take_uint(in, width, &n) && bytes_of(in, it, n);
}

/* Each item takes a byte at least, each pair two. */
static bool container(struct msgpack_input *in, struct msgpack_item *it,
		      bool map, uint64_t n)
{
	it->kind = map ? ITEM_MAP : ITEM_ARRAY;
	it->len = (uint32_t)n;
	return n <= (uint64_t)(in->end - in->p) / (map ? 2 : 1);
}

static bool sized_container(struct msgpack_input *in, struct msgpack_item *it,
			    bool map, size_t width)
{
	uint64_t n;

	return take_uint(in, width, &n) && container(in, it, map, n);
}

static bool ext_of(struct msgpack_input *in, struct msgpack_item *it,
		   uint64_t n)
{
	uint64_t code;

	it->kind = ITEM_EXT;
	if (!take_uint(in, 1, &code))
		return false;
	it->code = (int)(int8_t)code;
	return take_body(in, n, &it->body);
}

static bool sized_ext(struct msgpack_input *in, struct msgpack_item *it,
		      size_t width)
{
	uint64_t n;

	return take_uint(in, width, &n) && ext_of(in, it, n);
}

static bool unsigned_of(struct msgpack_input *in, struct msgpack_item *it,
			size_t width)
{
	uint64_t u;

	if (!take_uint(in, width, &u))
		return false;
	it->kind = u > INT64_MAX ? ITEM_UINT : ITEM_INT;
	it->u = u;
	return true;
}

static bool signed_of(struct msgpack_input *in, struct msgpack_item *it,
		      size_t width)
{
	uint64_t u;
	unsigned shift = 64 - 8 * (unsigned)width;

	if (!take_uint(in, width, &u))
		return false;
	it->kind = ITEM_INT;
	it->n = (int64_t)(u << shift) >> shift;
	return true;
}

static bool double_of(struct msgpack_input *in, struct msgpack_item *it,
		      size_t width)
{
	uint64_t u;
	uint32_t narrow;
	float f;

	if (!take_uint(in, width, &u))
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
static bool take_coded(struct msgpack_input *in, struct msgpack_item *it,
		       unsigned code)
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
		return sized_bytes(in, it, (size_t)1 << (code - 0xc4));
	case 0xc7: /* ext 8, 16, 32 */
	case 0xc8:
	case 0xc9:
		return sized_ext(in, it, (size_t)1 << (code - 0xc7));
	case 0xca:
		return double_of(in, it, 4);
	case 0xcb:
		return double_of(in, it, 8);
	case 0xcc: /* uint 8 to 64 */
	case 0xcd:
	case 0xce:
	case 0xcf:
		return unsigned_of(in, it, (size_t)1 << (code - 0xcc));
	case 0xd0: /* int 8 to 64 */
	case 0xd1:
	case 0xd2:
	case 0xd3:
		return signed_of(in, it, (size_t)1 << (code - 0xd0));
	case 0xd4: /* fixext 1 to 16 */
	case 0xd5:
	case 0xd6:
	case 0xd7:
	case 0xd8:
		return ext_of(in, it, (uint64_t)1 << (code - 0xd4));
	case 0xd9: /* str 8, 16, 32 */
	case 0xda:
	case 0xdb:
		return sized_bytes(in, it, (size_t)1 << (code - 0xd9));
	case 0xdc: /* array 16, 32; map 16, 32 */
	case 0xdd:
		return sized_container(in, it, false, code == 0xdc ? 2 : 4);
	case 0xde:
	case 0xdf:
		return sized_container(in, it, true, code == 0xde ? 2 : 4);
	default:
		return false;
	}
}

bool msgpack_take(struct msgpack_input *in, struct msgpack_item *it)
{
	uint64_t code;

	if (!take_uint(in, 1, &code))
		return false;
	if (code < 0x80 || code >= 0xe0) {
		it->kind = ITEM_INT;
		it->n = (int8_t)code;
		return true;
	}
	if (code < 0x90)
		return container(in, it, true, code & 0x0f);
	if (code < 0xa0)
		return container(in, it, false, code & 0x0f);
	if (code < 0xc0)
		return bytes_of(in, it, code & 0x1f);
	return take_coded(in, it, (unsigned)code);
}

bool msgpack_skip_rest(struct msgpack_input *in,
		       const struct msgpack_item *head)
{
	uint64_t left = 0;
	struct msgpack_item it = *head;

	for (;;) {
		if (it.kind == ITEM_ARRAY)
			left += it.len;
		else if (it.kind == ITEM_MAP)
			left += 2 * (uint64_t)it.len;
		if (!left)
			return true;
		left--;
		if (!msgpack_take(in, &it))
			return false;
	}
}
