/*
 * forms.c - may JSON text be written in another way?
 *
 * Looked for are an escape other than by a letter, a fraction, an exponent,
 * many zeros at the end of a number.  Such numbers can be brought into one
 * form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/write.h"
#include "json/json.h"

/* Sixteen characters at once; GCC and clang have such types. */
typedef unsigned char chars __attribute__((vector_size(16)));

static inline chars load(const char *p)
{
	chars c;

	memcpy(&c, p, sizeof(c));
	return c;
}

typedef uint64_t halves __attribute__((vector_size(16)));

static inline chars digits(chars c)
{
	return (chars)((chars)(c - '0') < 10);
}

/* May there be something in the 16 characters at p?  There are others on both
 * sides.  Of so many zeros eight fill one half. */
static inline chars suspects(const char *p)
{
	chars c = load(p), next = load(p + 1);

	return ((chars)(c == '\\') &
		((chars)(next == 'u') | (chars)(next == '/'))) |
	       ((chars)(c == '.') & digits(next)) |
	       ((chars)((c | ' ') == 'e') & digits(load(p - 1)) &
		((chars)(next == '+') | (chars)(next == '-'))) |
	       (chars)((halves)(chars)(c == '0') == ~(halves){ 0 });
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A point or exponent behind digits, with a character before them that no
 * string has there. */
static bool in_number(struct str text, size_t at)
{
	size_t i = at;

	while (i && digit(text.p[i - 1]))
		i--;
	if (i == at)
		return false;
	i -= i && text.p[i - 1] == '-';
	return !i || strchr(":,[", text.p[i - 1]);
}

/* Is there something between two places?  A number of zeros may have begun
 * before the first. */
static bool several_forms(struct str text, size_t from, size_t to)
{
	size_t i = from > JSON_MANY_ZEROS ? from - JSON_MANY_ZEROS : 0;
	size_t end =
		text.n - to > JSON_MANY_ZEROS ? to + JSON_MANY_ZEROS : text.n;
	int zeros = 0;

	for (; i < end; i++) {
		char next = i + 1 < text.n ? text.p[i + 1] : '\0';

		zeros = text.p[i] == '0' ? zeros + 1 : 0;
		if (zeros == JSON_MANY_ZEROS)
			return true;

		if (text.p[i] == '\\' && (next == 'u' || next == '/'))
			return true;
		if (((text.p[i] == '.' && digit(next)) ||
		     ((text.p[i] | ' ') == 'e' &&
		      (next == '+' || next == '-'))) &&
		    in_number(text, i))
			return true;
	}
	return false;
}

static inline bool any(chars c)
{
	uint64_t half[2];

	memcpy(half, &c, sizeof(half));
	return half[0] | half[1];
}

bool json_one_form(struct str text)
{
	enum { STRIDE = 64 };
	size_t i = 1, n = text.n;
	const char *p = text.p;

	if (n < 18 || p[0] == '\\')
		return !several_forms(text, 0, n);
	/* a false alarm costs no more than a look at its neighbours */
	for (; i + STRIDE + 1 <= n; i += STRIDE)
		if (any(suspects(p + i) | suspects(p + i + 16) |
			suspects(p + i + 32) | suspects(p + i + 48)) &&
		    several_forms(text, i, i + STRIDE))
			return false;
	for (; i + 17 <= n; i += 16)
		if (any(suspects(p + i)) && several_forms(text, i, i + 16))
			return false;
	return !any(suspects(p + n - 17)) || !several_forms(text, n - 17, n);
}

/* --- one form for all numbers --- */

/* The digits that count, and the power of ten of the last of them. */
static long long significant(struct str text, struct buf *out)
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
		if (c != '0' || out->len)
			buf_putc(out, c);
	}
	while (out->len && out->p[out->len - 1] == '0') {
		buf_set_len(out, out->len - 1);
		power++;
	}
	return power;
}

void json_number_form(struct buf *out, struct str number)
{
	struct buf b = BUF_INIT;
	long long power = significant(number, &b);

	if (number.p[0] == '-')
		buf_putc(out, '-');
	if (b.len)
		buf_str(out, buf_view(&b));
	else
		buf_putc(out, '0');
	if (b.len && power > 0 && power < JSON_MANY_ZEROS)
		buf_addf(out, "%0*d", (int)power, 0);
	else if (b.len && power)
		buf_addf(out, "e%lld", power);
	buf_release(&b);
}
