/* escapes.c - see json_int.h */
#include "json/json_int.h"

static const char letters[256] = {
	['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n',  ['\r'] = 'r',
	['\t'] = 't', ['"'] = '"',  ['\\'] = '\\',
};
const char json_escape_values[256] = {
	['b'] = '\b', ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r',
	['t'] = '\t', ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',
};

/* --- undone --- */

/* Four hex digits; if invalid, minus the number of bytes that show it. */
static long hex4(struct str s)
{
	long v = 0;

	for (int i = 0; i < 4; i++) {
		char c = (size_t)i < s.n ? s.p[i] : '\0';

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | ((c | 0x20) - 'a' + 10);
		else
			return -1 - i;
	}
	return v;
}

static long code_point(struct str s, size_t *len)
{
	long c = hex4(str_sub(s, 2, s.n)), low;

	*len = 6;
	if (c < 0)
		return c - 2;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	if (c < 0xdc00 && s.n >= 12 && s.p[6] == '\\' && s.p[7] == 'u') {
		low = hex4(str_sub(s, 8, s.n));
		if (low >= 0xdc00 && low <= 0xdfff) {
			*len = 12;
			return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return 0xfffd;
}

long json_unescape_one(struct str s, size_t *len)
{
	char c;

	*len = 2;
	if (s.n < 2)
		return -1;
	if (s.p[1] == 'u')
		return code_point(s, len);
	c = json_escape_values[(unsigned char)s.p[1]];
	return c ? c : -2;
}

/* Escapes are often adjacent. */
static inline const char *next_escape(const char *p, const char *end)
{
	return *p == '\\' ? p : memchr(p, '\\', (size_t)(end - p));
}

struct str json_unescape(struct arena *a, struct str in)
{
	char *out = arena_alloc(a, in.n + 1), *to = out;
	const char *p = in.p, *end = p + in.n, *slash;

	while (p < end && (slash = next_escape(p, end))) {
		size_t n = (size_t)(slash - p);
		char letter = json_escape_letter(slash, end);
		long c;

		if (n)
			memcpy(to, p, n);
		to += n;
		p = slash + 2;
		if (letter) {
			*to++ = letter;
			continue;
		}
		c = json_unescape_one(
			(struct str){ slash, (size_t)(end - slash) }, &n);
		if (c < 0)
			return STR_NONE;
		to = utf8_put(to, (uint32_t)c);
		p = slash + n;
	}
	if (p < end)
		memcpy(to, p, (size_t)(end - p));
	to += end - p;
	*to = '\0';
	return (struct str){ out, (size_t)(to - out) };
}

/* --- escaped --- */

static void escape_ascii(struct buf *b, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

	json_put(b, text, sizeof(text));
}

/* Most escapes are of line ends and quotes. */
static inline bool escape_letter(struct buf *b, unsigned char c)
{
	if (!letters[c])
		return false;
	buf_grow(b, 2);
	b->p[b->len++] = '\\';
	b->p[b->len++] = letters[c];
	return true;
}

size_t json_escape_one(struct buf *b, struct str s, bool *varied)
{
	size_t len;

	if (escape_letter(b, (unsigned char)s.p[0]))
		return 1;
	len = utf8_len(s.p, s.n);
	if (len == 1) {
		*varied |= json_plain_byte(s.p[0], false); /* only for HTML */
		escape_ascii(b, (unsigned char)s.p[0]);
		return 1;
	}
	*varied |= !len || (len == 3 && s.p[0] == '\xe2');
	if (!len) {
		json_put(b, "\\ufffd", 6);
		return 1;
	}
	if (len == 3 && memcmp(s.p, "\xe2\x80\xa8", 3) == 0)
		json_put(b, "\\u2028", 6);
	else if (len == 3 && memcmp(s.p, "\xe2\x80\xa9", 3) == 0)
		json_put(b, "\\u2029", 6);
	else
		json_put(b, s.p, len);
	return len;
}

bool json_escape(struct buf *b, struct str s, bool html)
{
	bool varied = false;

	while (s.n) {
		size_t n = json_plain(s, html);

		json_put(b, s.p, n);
		if (n == s.n)
			break;
		if (escape_letter(b, (unsigned char)s.p[n]))
			n++;
		else
			n += json_escape_one(b, str_sub(s, n, s.n), &varied);
		s = str_sub(s, n, s.n);
	}
	return varied;
}

void json_quote(struct buf *b, struct str s)
{
	size_t from;

	buf_putc(b, '"');
	for (size_t i = 0; i <= s.n; i++) {
		const char *del =
			i < s.n ? memchr(s.p + i, '\x7f', s.n - i) : NULL;

		from = i;
		i = del ? (size_t)(del - s.p) : s.n;
		json_escape(b, str_sub(s, from, i), false);
		if (del)
			buf_puts(b, "\\u007f");
	}
	buf_putc(b, '"');
}
