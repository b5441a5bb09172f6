/* gzip.c - see gzip.h; part of codec.so */
#include <zlib.h>

#include "codec/codec_dso_int.h"

enum {
	PART_MAX = 1 << 30, /* zlib counts in 32 bits */
	BLOCK = 1 << 16,
};

static const char no_memory[] = "not enough memory";

/* Goes on until zlib has written all that `flush` asks for. */
static void squeeze(z_stream *z, int flush, codec_put *put, void *to)
{
	Bytef block[BLOCK];

	do {
		z->next_out = block;
		z->avail_out = BLOCK;
		deflate(z, flush);
		put(to, block, BLOCK - z->avail_out);
	} while (z->avail_out == 0);
}

/* The frame is OpenTofu's: no name, time or system, the text flushed, and an
 * empty stored block for an end, which is what level 0 makes of nothing.  The
 * data between is zlib's: as valid, but not always the same bytes. */
const char *part_gzip(struct str in, codec_put *put, void *to)
{
	z_stream z = { .next_in = (Bytef *)in.p };
	gz_header header = { .os = 255 };

	/* Short texts need no tables of a quarter of a megabyte. */
	bool is_short = in.n < 1 << 12;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			 16 + (is_short ? 12 : MAX_WBITS),
			 is_short ? 5 : MAX_MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return no_memory;
	deflateSetHeader(&z, &header);
	do {
		z.avail_in = (uInt)(in.n > PART_MAX ? PART_MAX : in.n);
		in.n -= z.avail_in;
		squeeze(&z, in.n ? Z_NO_FLUSH : Z_SYNC_FLUSH, put, to);
	} while (in.n);
	deflateParams(&z, Z_NO_COMPRESSION, Z_DEFAULT_STRATEGY);
	squeeze(&z, Z_FINISH, put, to);
	deflateEnd(&z);
	return NULL;
}

const char *part_gunzip(struct str in, size_t max, codec_put *put, void *to)
{
	z_stream z = { .next_in = (Bytef *)in.p, .avail_in = (uInt)in.n };
	Bytef block[BLOCK];
	const char *wrong = NULL;
	size_t n = 0;
	int rc = Z_OK;

	if (in.n > UINT32_MAX || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return no_memory;
	do {
		z.next_out = block;
		z.avail_out = BLOCK;
		rc = inflate(&z, Z_NO_FLUSH);
		put(to, block, BLOCK - z.avail_out);
		n += BLOCK - z.avail_out;
		if (rc == Z_STREAM_END && z.avail_in > 0)
			rc = inflateReset(&z);
		if (rc == Z_BUF_ERROR)
			wrong = "unexpected end of data";
		else if (rc < 0)
			wrong = z.msg ? z.msg : "invalid data";
		else if (n > max)
			wrong = "the result is too large";
	} while (!wrong && rc != Z_STREAM_END);
	inflateEnd(&z);
	return wrong;
}
