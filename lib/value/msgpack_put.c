/* msgpack_put.c - writes items of msgpack, see value_int.h */
#include <string.h>

#include "value/value_int.h"

/* A first byte, and the n low bytes of what follows it, the highest first. */
static void put(struct buf *out, unsigned first, uint64_t rest, size_t n)
{
	char bytes[9] = { (char)first };

	for (size_t i = 0; i < n; i++)
		bytes[n - i] = (char)(rest >> 8 * i);
	buf_add(out, bytes, n + 1);
}

/* A length: forms are the first bytes of those with 1, 2 and 4 bytes; 0:
 * none. */
static void put_len(struct buf *out, const unsigned char forms[3], uint64_t len)
{
	if (len <= UINT8_MAX && forms[0])
		put(out, forms[0], len, 1);
	else if (len <= UINT16_MAX)
		put(out, forms[1], len, 2);
	else
		put(out, forms[2], len, 4);
}

void msgpack_put_nil(struct buf *out)
{
	put(out, 0xc0, 0, 0);
}

void msgpack_put_bool(struct buf *out, bool b)
{
	put(out, b ? 0xc3 : 0xc2, 0, 0);
}

void msgpack_put_uint(struct buf *out, uint64_t n)
{
	if (n < 128)
		put(out, (unsigned)n, 0, 0);
	else if (n <= UINT8_MAX)
		put(out, 0xcc, n, 1);
	else if (n <= UINT16_MAX)
		put(out, 0xcd, n, 2);
	else if (n <= UINT32_MAX)
		put(out, 0xce, n, 4);
	else
		put(out, 0xcf, n, 8);
}

void msgpack_put_int(struct buf *out, int64_t n)
{
	const uint64_t bits = (uint64_t)n;

	if (n >= 0)
		msgpack_put_uint(out, bits);
	else if (n >= -32)
		put(out, (unsigned char)bits, 0, 0);
	else if (n >= INT8_MIN)
		put(out, 0xd0, bits, 1);
	else if (n >= INT16_MIN)
		put(out, 0xd1, bits, 2);
	else if (n >= INT32_MIN)
		put(out, 0xd2, bits, 4);
	else
		put(out, 0xd3, bits, 8);
}

void msgpack_put_double(struct buf *out, double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	put(out, 0xcb, bits, 8);
}

void msgpack_put_str(struct buf *out, struct str s)
{
	static const unsigned char forms[3] = { 0xd9, 0xda, 0xdb };

	if (s.n < 32)
		put(out, 0xa0 | (unsigned)s.n, 0, 0);
	else
		put_len(out, forms, s.n);
	buf_str(out, s);
}

void msgpack_put_bin(struct buf *out, struct str bytes)
{
	static const unsigned char forms[3] = { 0xc4, 0xc5, 0xc6 };

	put_len(out, forms, bytes.n);
	buf_str(out, bytes);
}

void msgpack_put_ext(struct buf *out, signed char code, struct str bytes)
{
	static const unsigned char forms[3] = { 0xc7, 0xc8, 0xc9 };
	static const struct {
		size_t n;
		unsigned char form;
	} fixed[] = {
		{ 1, 0xd4 }, { 2, 0xd5 }, { 4, 0xd6 }, { 8, 0xd7 }, { 16, 0xd8 }
	};
	size_t i = 0;

	while (i < sizeof(fixed) / sizeof(*fixed) && fixed[i].n != bytes.n)
		i++;
	if (i < sizeof(fixed) / sizeof(*fixed))
		put(out, fixed[i].form, 0, 0);
	else
		put_len(out, forms, bytes.n);
	put(out, (unsigned char)code, 0, 0);
	buf_str(out, bytes);
}

void msgpack_put_array(struct buf *out, uint32_t len)
{
	static const unsigned char forms[3] = { 0, 0xdc, 0xdd };

	if (len < 16)
		put(out, 0x90 | len, 0, 0);
	else
		put_len(out, forms, len);
}

void msgpack_put_map(struct buf *out, uint32_t len)
{
	static const unsigned char forms[3] = { 0, 0xde, 0xdf };

	if (len < 16)
		put(out, 0x80 | len, 0, 0);
	else
		put_len(out, forms, len);
}
