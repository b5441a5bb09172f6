/*
 * regex_escape.c - single characters in regular expressions
 */
#include <ctype.h>
#include <unistr.h>

#include "funcs/regex/regex_int.h"

size_t regex_char(struct str s, ucs4_t *ch)
{
	return (size_t)u8_mbtouc(ch, (const uint8_t *)s.p, s.n);
}

static int hex(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch |= 32;
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

static size_t invalid(struct str s, size_t n, struct re_error *err)
{
	*err = (struct re_error){ "invalid escape sequence",
				  str_sub(s, 0, n < s.n ? n : s.n) };
	return 0;
}

/* \x7f or \x{10ffff} */
static size_t hex_escape(struct str s, ucs4_t *ch, struct re_error *err)
{
	size_t i = 3;

	*ch = 0;
	if (s.n < 3)
		return invalid(s, 2, err);
	if (s.p[2] != '{') {
		if (s.n < 4 || hex(s.p[2]) < 0 || hex(s.p[3]) < 0)
			return invalid(s, 4, err);
		*ch = (ucs4_t)(hex(s.p[2]) << 4 | hex(s.p[3]));
		return 4;
	}
	for (; i < s.n && hex(s.p[i]) >= 0; i++) {
		*ch = *ch << 4 | (ucs4_t)hex(s.p[i]);
		if (*ch > 0x10ffff)
			return invalid(s, i + 1, err);
	}
	if (i == 3 || i >= s.n || s.p[i] != '}')
		return invalid(s, i + 1, err);
	return i + 1;
}

/* \0, \12, \123; \1 alone would be a back reference. */
static size_t octal_escape(struct str s, ucs4_t *ch, struct re_error *err)
{
	size_t i = 1;

	if (s.p[1] != '0' && !(s.n > 2 && s.p[2] >= '0' && s.p[2] <= '7'))
		return invalid(s, 2, err);
	*ch = 0;
	for (; i < s.n && i < 4 && s.p[i] >= '0' && s.p[i] <= '7'; i++)
		*ch = *ch << 3 | (ucs4_t)(s.p[i] - '0');
	return i;
}

size_t regex_escape(struct str s, ucs4_t *ch, struct re_error *err)
{
	static const char letters[] = "afnrtv", values[] = "\a\f\n\r\t\v";
	const char *known;
	size_t n;

	if (s.n < 2) {
		*err = (struct re_error){
			"trailing backslash at end of expression", STR("")
		};
		return 0;
	}
	n = regex_char(str_sub(s, 1, s.n), ch);
	if (*ch == 'x')
		return hex_escape(s, ch, err);
	if (*ch >= '0' && *ch <= '7')
		return octal_escape(s, ch, err);
	known = *ch && *ch < 0x80 ? strchr(letters, (int)*ch) : NULL;
	if (known) {
		*ch = (ucs4_t)values[known - letters];
		return 2;
	}
	if (*ch >= 0x80 || isalnum((int)*ch))
		return invalid(s, 1 + n, err);
	return 1 + n;
}
