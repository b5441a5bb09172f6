/*
 * encoding_funcs.c - base64decode, base64encode, urldecode, urlencode
 */
#include <ctype.h>

#include "base/base64.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int digit_of(char ch)
{
	const char *p = ch ? strchr(digits, ch) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* Past line breaks from i on. */
static size_t skip_breaks(struct str s, size_t i)
{
	while (i < s.n && (s.p[i] == '\r' || s.p[i] == '\n'))
		i++;
	return i;
}

/* Reads the padding at i after n digits of a group; -1 with *bad set. */
static int read_padding(struct str s, size_t i, int n, size_t *bad)
{
	*bad = i;
	if (n < 2)
		return -1;
	i = skip_breaks(s, i + 1);
	if (n == 2) {
		if (i >= s.n || s.p[i] != '=') {
			*bad = i;
			return -1;
		}
		i = skip_breaks(s, i + 1);
	}
	*bad = i;
	return i == s.n ? 0 : -1;
}

/* *bad gets the offset of an error as OpenTofu's messages have it. */
int encoding_base64_read(struct buf *b, struct str s, size_t *bad)
{
	unsigned v = 0;
	int n = 0; /* digits of the current group */
	size_t i = 0, start = b->len;

	for (;;) {
		int d;

		i = skip_breaks(s, i);
		if (i >= s.n)
			break;
		d = digit_of(s.p[i]);
		if (d < 0)
			break;
		v = v << 6 | (unsigned)d;
		i++;
		if (++n == 4) {
			buf_putc(b, (char)(v >> 16));
			buf_putc(b, (char)(v >> 8));
			buf_putc(b, (char)v);
			v = 0;
			n = 0;
		}
	}
	if (i >= s.n && n == 0)
		return 0;
	*bad = i >= s.n ? i - (size_t)n : i;
	if (i >= s.n || s.p[i] != '=' || read_padding(s, i, n, bad)) {
		buf_set_len(b, start);
		return -1;
	}
	buf_putc(b, (char)(n == 2 ? v >> 4 : v >> 10));
	if (n == 3)
		buf_putc(b, (char)(v >> 2));
	return 0;
}

static const struct value *do_base64encode(struct func_call *c)
{
	return value_string(c->arena, base64_encode(c->arena, arg_str(c, 0)));
}

const struct func func_base64encode = {
	.name = "base64encode",
	.description = "The bytes of a string in Base64.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_base64encode,
};

static const struct value *do_base64decode(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *v = func_unmark(c, 0, &m);
	struct buf b = BUF_INIT;
	size_t bad;

	if (encoding_base64_read(&b, v->string, &bad)) {
		buf_release(&b);
		return func_fail(c, -1, "failed to decode base64 data %.*s",
				 STR_ARG(func_quote_unless_secret(
					 c->arena, v->string, m)));
	}
	if (!str_utf8_valid(buf_view(&b))) {
		buf_release(&b);
		return func_fail(
			c, -1,
			"the result of decoding the provided string is not valid UTF-8");
	}
	return value_with_marks(c->arena, buf_value(c->arena, &b), m);
}

const struct func func_base64decode = {
	.name = "base64decode",
	.description = "The string whose bytes are given in Base64.",
	.params = PARAMS({ "str", &type_string, PARAM_MARKED, NULL }),
	.result = &type_string,
	.impl = do_base64decode,
};

static const struct value *do_urlencode(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char ch = (unsigned char)s.p[i];

		if (ch == ' ')
			buf_putc(&b, '+');
		else if (ch < 0x80 && (isalnum(ch) || strchr("-_.~", ch)) && ch)
			buf_putc(&b, (char)ch);
		else
			buf_addf(&b, "%%%02X", ch);
	}
	return buf_value(c->arena, &b);
}

const struct func func_urlencode = {
	.name = "urlencode",
	.description = "The string as it is written in a URL's query.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_urlencode,
};

static const struct value *do_urldecode(struct func_call *c)
{
	struct str s = arg_str(c, 0), part;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '%') {
			buf_putc(&b, s.p[i] == '+' ? ' ' : s.p[i]);
			continue;
		}
		part = str_sub(s, i, i + 3 < s.n ? i + 3 : s.n);
		if (part.n < 3 || str_hex_digit(s.p[i + 1]) < 0 ||
		    str_hex_digit(s.p[i + 2]) < 0) {
			buf_release(&b);
			return func_fail(
				c, -1,
				"failed to decode URL: invalid URL escape %.*s",
				STR_ARG(func_quote(c->arena, part)));
		}
		buf_putc(&b, (char)(str_hex_digit(s.p[i + 1]) << 4 |
				    str_hex_digit(s.p[i + 2])));
		i += 2;
	}
	return buf_value(c->arena, &b);
}

const struct func func_urldecode = {
	.name = "urldecode",
	.description = "The string that is written so in a URL's query.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_urldecode,
};
