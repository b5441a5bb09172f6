/*
 * seal_hash.c - a hash of the content of a line
 *
 * A program such as jq writes a line it did not change in another way at most:
 * 1.0 as 1, \u003c as <, with spaces.  The number must stay the same.  Most of
 * this program's output has only one form, which such programs keep, and its
 * bytes are hashed as they are, 32 at a time.  A line that may have several
 * forms (json_one_form) is brought into one first.
 */
#include <endian.h>

#include "json/read.h"
#include "json/write.h"
#include "stream/stream_int.h"
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

static uint32_t half_word_at(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return le32toh(w);
}

/* Up to 16 bytes as two words; they may overlap. */
static inline void last_words(const char *p, size_t n, uint64_t w[2])
{
	if (n >= 8) {
		w[0] = word_at(p);
		w[1] = word_at(p + n - 8);
	} else if (n >= 4) {
		w[0] = half_word_at(p);
		w[1] = half_word_at(p + n - 4);
	} else if (n) {
		w[0] = (unsigned char)p[0];
		w[1] = (uint64_t)(unsigned char)p[n / 2] << 8 |
		       (unsigned char)p[n - 1];
	}
}

uint64_t seal_hash(struct str text)
{
	uint64_t h = text.n, g = K2, w[2] = { 0, 0 };
	const char *p = text.p;
	size_t left = text.n;

	for (; left >= 32; left -= 32, p += 32) {
		h = mix(word_at(p) ^ K1, word_at(p + 8) ^ h);
		g = mix(word_at(p + 16) ^ K2, word_at(p + 24) ^ g);
	}
	if (left > 16) {
		h = mix(word_at(p) ^ K1, word_at(p + 8) ^ h);
		left -= 16;
		p += 16;
	}
	last_words(p, left, w);
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
