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
#include <stdio.h>
#include <stdlib.h>

#include "json/json.h"

/* --- the number --- */

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

/* --- one form for all --- */

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The digits that count, and the power of ten of the last of them. */
static long long significant(struct str text, struct buf *digits)
{
	long long power = 0;
	bool fraction = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == 'e' || c == 'E') {
			char rest[24];

			snprintf(rest, sizeof(rest), "%.*s",
				 STR_ARG(str_sub(text, i + 1, text.n)));
			power += strtoll(rest, NULL, 10);
			break;
		}
		fraction |= c == '.';
		if (!digit(c))
			continue;
		power -= fraction;
		if (c != '0' || digits->len)
			buf_putc(digits, c);
	}
	while (digits->len && digits->p[digits->len - 1] == '0') {
		buf_set_len(digits, digits->len - 1);
		power++;
	}
	return power;
}

/* Whole numbers as they are, unless that takes many zeros. */
static void number(struct jw *w, struct str text)
{
	struct buf b = BUF_INIT, digits = BUF_INIT;
	long long power = significant(text, &digits);

	if (text.p[0] == '-')
		buf_putc(&b, '-');
	if (digits.len)
		buf_str(&b, buf_view(&digits));
	else
		buf_putc(&b, '0');
	if (digits.len && power > 0 && power < JSON_MANY_ZEROS)
		buf_addf(&b, "%0*d", (int)power, 0);
	else if (digits.len && power)
		buf_addf(&b, "e%lld", power);
	jw_raw(w, buf_view(&b));
	buf_release(&b);
	buf_release(&digits);
}

/* Depth is bounded by the reader. */
static void canonical(struct jw *w, const struct json *j)
{
	switch (j->kind) {
	case JSON_NUMBER:
		number(w, j->text);
		break;
	case JSON_ARRAY:
		jw_array(w);
		for (uint32_t i = 0; i < j->len; i++)
			canonical(w, &j->items[i]);
		jw_array_end(w);
		break;
	case JSON_OBJECT:
		jw_object(w);
		for (uint32_t i = 0; i < j->len; i++) {
			jw_key_str(w, j->members[i].name);
			canonical(w, &j->members[i].value);
		}
		jw_object_end(w);
		break;
	default:
		jw_json(w, j);
	}
}

void seal_canonical(struct arena *scratch, struct str line, struct buf *out)
{
	struct json_error err;
	const struct json *j = json_parse(scratch, line, &err);
	struct jw w = JW_INIT(out);

	if (j)
		canonical(&w, j);
	else
		buf_str(out, line);
}
