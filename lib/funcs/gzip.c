/*
 * gzip.c - base64gunzip, base64gzip
 */
#include <zlib.h>

#include "base/base64.h"
#include "funcs/deflate_int.h"
#include "funcs/funcs_int.h"

static void add_le32(struct buf *b, uint32_t v)
{
	for (int i = 0; i < 4; i++, v >>= 8)
		buf_putc(b, (char)v);
}

static const struct value *do_base64gzip(struct func_call *c)
{
	/* deflate, no flags, no time, no hints, unknown system */
	static const char header[10] = "\x1f\x8b\x08\0\0\0\0\0\0\xff";
	struct str s = arg_str(c, 0), encoded;
	struct buf b = BUF_INIT;

	buf_add(&b, header, sizeof(header));
	deflate_text(&b, s);
	add_le32(&b, (uint32_t)crc32_z(0, (const Bytef *)s.p, s.n));
	add_le32(&b, (uint32_t)s.n);
	encoded = base64_encode(c->arena, buf_view(&b));
	buf_release(&b);
	return value_string(c->arena, encoded);
}

const struct func func_base64gzip = {
	.name = "base64gzip",
	.description = "The string, compressed with gzip, in Base64.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_base64gzip,
};

/* What a text of a thousandth the size may grow to. */
enum { GUNZIP_MAX = 1 << 30 };

/* Reads one or several gzip members after each other. NULL, or why not. */
static const char *gunzip(struct buf *out, struct str in)
{
	z_stream z = { .next_in = (Bytef *)in.p, .avail_in = (uInt)in.n };
	const char *wrong = NULL;
	int rc = Z_OK;

	if (in.n > UINT32_MAX || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return "not enough memory";
	do {
		buf_grow(out, 1 << 16);
		z.next_out = (Bytef *)out->p + out->len;
		z.avail_out = 1 << 16;
		rc = inflate(&z, Z_NO_FLUSH);
		out->len += (1 << 16) - z.avail_out;
		if (rc == Z_STREAM_END && z.avail_in > 0)
			rc = inflateReset(&z);
		if (rc == Z_BUF_ERROR)
			wrong = "unexpected end of data";
		else if (rc < 0)
			wrong = z.msg ? z.msg : "invalid data";
		else if (out->len > GUNZIP_MAX)
			wrong = "the result is too large";
	} while (!wrong && rc != Z_STREAM_END);
	inflateEnd(&z);
	return wrong;
}

static const struct value *do_base64gunzip(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *v = func_unmark(c, 0, &m);
	struct buf b = BUF_INIT, out = BUF_INIT;
	const char *wrong;
	size_t bad;

	if (base64_read(&b, v->string, &bad)) {
		buf_release(&b);
		return func_fail(c, -1, "failed to decode base64 data %.*s",
				 STR_ARG(quote_unless_secret(c->arena,
							     v->string, m)));
	}
	wrong = b.len ? gunzip(&out, buf_view(&b)) : "unexpected end of data";
	if (wrong)
		func_fail(c, -1, "failed to gunzip bytestream: %s", wrong);
	buf_release(&b);
	if (wrong) {
		buf_release(&out);
		return NULL;
	}
	return value_with_marks(c->arena, buf_value(c->arena, &out), m);
}

const struct func func_base64gunzip = {
	.name = "base64gunzip",
	.description = "The string that was compressed with gzip and "
		       "encoded in Base64.",
	.params = PARAMS({ "str", &type_string, PARAM_MARKED, NULL }),
	.result = &type_string,
	.impl = do_base64gunzip,
};
