/* syntax_text.c - see syntax_int.h */
#include "base/didyoumean.h"
#include "base/str.h"
#include "lang/syntax/syntax_int.h"

/* Length of the white-space character that s begins with, or 0. */
static size_t space_len(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n == 0)
		return 0;
	if (p[0] < 0x80)
		return p[0] == ' ' || (p[0] >= '\t' && p[0] <= '\r');
	if (n >= 2 && p[0] == 0xc2) /* U+0085, U+00A0 */
		return p[1] == 0x85 || p[1] == 0xa0 ? 2 : 0;
	if (n < 3)
		return 0;
	if (p[0] == 0xe1) /* U+1680 */
		return p[1] == 0x9a && p[2] == 0x80 ? 3 : 0;
	if (p[0] == 0xe3) /* U+3000 */
		return p[1] == 0x80 && p[2] == 0x80 ? 3 : 0;
	if (p[0] != 0xe2)
		return 0;
	if (p[1] == 0x80) /* U+2000-200A, 2028, 2029, 202F */
		return p[2] <= 0x8a || p[2] == 0xa8 || p[2] == 0xa9 ||
				       p[2] == 0xaf
			       ? 3
			       : 0;
	return p[1] == 0x81 && p[2] == 0x9f ? 3 : 0; /* U+205F */
}

struct str text_trim_left(struct str s)
{
	size_t n;

	while ((n = space_len(s.p, s.n)) != 0)
		s = str_sub(s, n, s.n);
	return s;
}

struct str text_trim_right(struct str s)
{
	while (s.n) {
		size_t k = 1;

		/* Back to the first byte of the last character. */
		while (k < s.n && k < 4 &&
		       ((unsigned char)s.p[s.n - k] & 0xc0) == 0x80)
			k++;
		if (space_len(s.p + s.n - k, k) != k)
			break;
		s.n -= k;
	}
	return s;
}

static bool is_ascii_line(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80 || s.p[i] == '\r')
			return false;
	return true;
}

size_t text_columns(struct str s)
{
	size_t columns = 0;

	if (is_ascii_line(s))
		return s.n;

	while (s.n) {
		s = str_sub(s, grapheme_len(s), s.n);
		columns++;
	}
	return columns;
}

size_t text_column_bytes(struct str s, size_t n)
{
	struct str rest = s;

	while (n-- && rest.n)
		rest = str_sub(rest, grapheme_len(rest), rest.n);
	return s.n - rest.n;
}

const char *text_suggest(struct str given, const char *const *names)
{
	for (; *names; names++) {
		const struct str name = str_c(*names);

		if (didyoumean(given, &name, 1).n)
			return *names;
	}
	return NULL;
}
