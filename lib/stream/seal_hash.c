/*
 * seal_hash.c - what a line says, as a number
 *
 * A program such as jq writes a line it did not change in another way at most:
 * 1.0 as 1, \u003c as <, with spaces.  The number must stay the same.  What
 * this program writes is mostly of one form, which such programs keep, and its
 * bytes are hashed as they are, 32 at a time.  A line that may have several
 * forms (json_one_form) is brought into one first.
 */
#include "stream/seal_int.h"

#include <endian.h>

#include "json/json.h"

static uint64_t word_at(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

__extension__ typedef unsigned __int128 twice;

/* Both halves of the product count. */
static inline uint64_t mix(uint64_t x, uint64_t y)
{
	twice product = (twice)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define K1 UINT64_C(0x9e3779b97f4a7c15)
#define K2 UINT64_C(0xd6e8feb86659fd93)

uint64_t seal_hash(struct str text)
{
	uint64_t h = text.n, g = K2, w[2] = { 0, 0 };
	const char *p = text.p;
	size_t left = text.n;

	for (; left >= 32; left -= 32, p += 32) {
		h = mix(word_at(p) ^ K1, word_at(p + 8) ^ h);
		g = mix(word_at(p + 16) ^ K2, word_at(p + 24) ^ g);
	}
	if (left >= 16) {
		h = mix(word_at(p) ^ K1, word_at(p + 8) ^ h);
		left -= 16;
		p += 16;
	}
	for (size_t i = 0; i < left; i++)
		w[i / 8] |= (uint64_t)(unsigned char)p[i] << i % 8 * 8;
	return mix(mix(w[0] ^ K1, w[1] ^ h) ^ K2, g ^ K1);
}

void seal_canonical(struct arena *scratch, struct str line, struct buf *out)
{
	struct json_error err;
	const struct json *j = json_parse(scratch, line, &err);
	struct jw w = JW_INIT(out);

	w.one_form = true;
	if (j)
		jw_json(&w, j);
	else
		buf_str(out, line);
}
