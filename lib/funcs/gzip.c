/*
 * gzip.c - base64gunzip, base64gzip
 */
#include <stdlib.h>

#include <zlib.h>

#include "base/base64.h"
#include "funcs/funcs_int.h"

enum { PART_MAX = 1 << 30 }; /* zlib counts in 32 bits */

static voidpf allocate(voidpf unused, uInt n, uInt size)
{
	(void)unused;
	return xcalloc(n, size);
}

static void release(voidpf unused, voidpf p)
{
	(void)unused;
	free(p);
}

/* Goes on until zlib has written all that `flush` asks for. */
static void squeeze(z_stream *z, struct buf *out, int flush)
{
	do {
		buf_grow(out, 1 << 16);
		z->next_out = (Bytef *)out->p + out->len;
		z->avail_out = 1 << 16;
		deflate(z, flush);
		out->len += (1 << 16) - z->avail_out;
	} while (z->avail_out == 0);
}

/* The frame is OpenTofu's: no name, time or system, the text flushed, and an
 * empty stored block for an end, which is what level 0 makes of nothing.  What
 * is between is zlib's, as valid but not always the same bytes. */
static void gzip(struct buf *out, struct str in)
{
	z_stream z = { .next_in = (Bytef *)in.p,
		       .zalloc = allocate,
		       .zfree = release };
	gz_header header = { .os = 255 };

	/* Short texts need no tables of a quarter of a megabyte. */
	bool is_short = in.n < 1 << 12;

	deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
		     16 + (is_short ? 12 : MAX_WBITS),
		     is_short ? 5 : MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
	deflateSetHeader(&z, &header);
	do {
		z.avail_in = (uInt)(in.n > PART_MAX ? PART_MAX : in.n);
		in.n -= z.avail_in;
		squeeze(&z, out, in.n ? Z_NO_FLUSH : Z_SYNC_FLUSH);
	} while (in.n);
	deflateParams(&z, Z_NO_COMPRESSION, Z_DEFAULT_STRATEGY);
	squeeze(&z, out, Z_FINISH);
	deflateEnd(&z);
}

static const struct value *do_base64gzip(struct func_call *c)
{
	struct str encoded;
	struct buf b = BUF_INIT;

	gzip(&b, arg_str(c, 0));
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
