/*
 * string.c - normal form, safe prefixes, quoting; see string.h
 *
 * Wraps libunistring.  Most text is ASCII, and most other text consists of
 * characters that are in NFC wherever they stand; only the rest is normalised
 * to find out.
 */
#include <stdlib.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include "base/str.h"
#include "base/source.h"
#include "value/string.h"

bool str_is_plain(struct str s)
{
	size_t i = 0;
	uint64_t word;

	for (; i + 8 <= s.n; i += 8) {
		memcpy(&word, s.p + i, 8);
		if (word & 0x8080808080808080u)
			return false;
	}
	for (; i < s.n; i++) {
		if ((unsigned char)s.p[i] & 0x80)
			return false;
	}
	return true;
}

/* Nothing below U+0300 and nothing in U+4000..U+9FFF (lead bytes E4..E9)
 * combines with what is before it or has another normal form. */
static bool surely_nfc(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= 0xcc && (c < 0xe4 || c > 0xe9))
			return false;
	}
	return true;
}

static void add_nfc(struct buf *b, struct str s)
{
	size_t n;
	uint8_t *p =
		u8_normalize(UNINORM_NFC, (const uint8_t *)s.p, s.n, NULL, &n);

	if (p)
		buf_add(b, p, n);
	else
		buf_str(b, s);
	free(p);
}

/* Normalises the valid stretches; keeps the other bytes between them. */
struct str str_nfc(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;
	size_t from = 0, i = 0;

	if (str_is_plain(s) || surely_nfc(s))
		return s;
	while (i < s.n) {
		size_t len = utf8_len(s.p + i, s.n - i);

		if (len) {
			i += len;
			continue;
		}
		if (i > from)
			add_nfc(&b, str_sub(s, from, i));
		buf_putc(&b, s.p[i]);
		from = ++i;
	}
	if (i > from)
		add_nfc(&b, str_sub(s, from, i));
	if (!str_eq(buf_view(&b), s))
		s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

struct str str_utf8_repair(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;

	if (str_is_plain(s) || str_utf8_valid(s))
		return s;
	for (size_t i = 0; i < s.n;) {
		size_t len = utf8_len(s.p + i, s.n - i);

		if (len)
			buf_add(&b, s.p + i, len);
		else
			buf_puts(&b, "\xef\xbf\xbd");
		i += len ? len : 1;
	}
	return buf_take(a, &b);
}

/* --- safe prefixes --- */

/* The characters that are second in some canonical composition. */
static const uint32_t seconds[] = {
	0x300,   0x301,   0x302,   0x303,   0x304,   0x306,   0x307,   0x308,
	0x309,   0x30a,   0x30b,   0x30c,   0x30f,   0x311,   0x313,   0x314,
	0x31b,   0x323,   0x324,   0x325,   0x326,   0x327,   0x328,   0x32d,
	0x32e,   0x330,   0x331,   0x338,   0x342,   0x345,   0x653,   0x654,
	0x655,   0x93c,   0x9be,   0x9d7,   0xb3e,   0xb56,   0xb57,   0xbbe,
	0xbd7,   0xc56,   0xcc2,   0xcd5,   0xcd6,   0xd3e,   0xd57,   0xdca,
	0xdcf,   0xddf,   0x102e,  0x1b35,  0x3099,  0x309a,  0x110ba, 0x11127,
	0x1133e, 0x11357, 0x114b0, 0x114ba, 0x114bd, 0x115af, 0x11930,
};

/* Can c be composed with the character before it, apart from marks? */
static bool combines_backward(ucs4_t c)
{
	for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
		if (c == seconds[i])
			return true;
	}
	return (c >= 0x1161 && c <= 0x1175) || (c >= 0x11a8 && c <= 0x11c2);
}

/* Normalisation never changes c because of what is before or after it. */
static bool inert(ucs4_t c)
{
	ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];

	if (uc_combining_class(c) != 0 || combines_backward(c) ||
	    uc_canonical_decomposition(c, parts) >= 0)
		return false;
	if (c >= 0x1100 && c <= 0x11ff) /* conjoining jamo */
		return false;
	for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
		if (uc_composition(c, seconds[i]))
			return false;
	}
	return true;
}

static size_t last_char(struct str s, ucs4_t *c)
{
	const uint8_t *p = (const uint8_t *)s.p;
	const uint8_t *last = u8_prev(c, p + s.n, p);

	return last ? (size_t)(last - p) : 0;
}

/* The offset of the last character that starts a normalisation sequence; s.n if
 * the last one is inert; 0 also if there is none. */
static size_t last_boundary(struct str s)
{
	size_t end = s.n;
	ucs4_t c = 0;
	size_t at = last_char(s, &c);

	if (inert(c))
		return end;
	while (at > 0 && (uc_combining_class(c) != 0 || combines_backward(c)))
		at = last_char(str_sub(s, 0, at), &c);
	return at;
}

struct str str_safe_prefix(struct arena *a, struct str s)
{
	static const char ends[] = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";
	size_t at = 0, last = 0, boundary;

	s = str_nfc(a, s);
	if (!s.n || !str_utf8_valid(s))
		return STR_NONE;
	boundary = last_boundary(s);
	if (boundary != s.n)
		return str_sub(s, 0, boundary);
	while (at < s.n) {
		size_t len = grapheme_len(str_sub(s, at, s.n));

		/* OpenTofu's scanner gets stuck at half a line break. */
		if (len == 1 && (s.p[at] == '\n' || s.p[at] == '\r'))
			return str_sub(s, 0, at);
		last = at;
		at += len;
	}
	if (last + 1 == s.n && s.p[last] && strchr(ends, s.p[last]))
		return s;
	return str_sub(s, 0, last);
}

/* --- quoting --- */

/* Characters of Unicode 15.0 that libunistring's older tables do not have. */
static const uint32_t newer[][2] = {
	{ 0xcf3, 0xcf3 },     { 0xece, 0xece },     { 0x10efd, 0x10eff },
	{ 0x1123f, 0x11241 }, { 0x11b00, 0x11b09 }, { 0x11f00, 0x11f10 },
	{ 0x11f12, 0x11f3a }, { 0x11f3e, 0x11f59 }, { 0x1342f, 0x1342f },
	{ 0x13440, 0x13455 }, { 0x1b132, 0x1b132 }, { 0x1b155, 0x1b155 },
	{ 0x1d2c0, 0x1d2d3 }, { 0x1df25, 0x1df2a }, { 0x1e030, 0x1e06d },
	{ 0x1e08f, 0x1e08f }, { 0x1e4d0, 0x1e4f9 }, { 0x1f6dc, 0x1f6dc },
	{ 0x1f774, 0x1f776 }, { 0x1f77b, 0x1f77f }, { 0x1f7d9, 0x1f7d9 },
	{ 0x1fa75, 0x1fa77 }, { 0x1fa87, 0x1fa88 }, { 0x1faad, 0x1faaf },
	{ 0x1fabb, 0x1fabd }, { 0x1fabf, 0x1fabf }, { 0x1face, 0x1facf },
	{ 0x1fada, 0x1fadb }, { 0x1fae8, 0x1fae8 }, { 0x1faf7, 0x1faf8 },
	{ 0x2b739, 0x2b739 }, { 0x31350, 0x323af },
};

/* Letters, marks, numbers, punctuation, symbols. */
static bool printable(ucs4_t c)
{
	uint32_t mask = UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M |
			UC_CATEGORY_MASK_N | UC_CATEGORY_MASK_P |
			UC_CATEGORY_MASK_S;

	if (uc_is_general_category_withtable(c, mask))
		return true;
	for (size_t i = 0; i < sizeof(newer) / sizeof(*newer); i++) {
		if (c >= newer[i][0] && c <= newer[i][1])
			return true;
	}
	return false;
}

static void quote_control(struct buf *b, unsigned char c)
{
	static const char letters[] = "abtnvfr"; /* from U+0007 on */

	if (c >= 7 && c <= 13)
		buf_addf(b, "\\%c", letters[c - 7]);
	else
		buf_addf(b, "\\x%02x", c);
}

static size_t quote_multibyte(struct buf *b, struct str s)
{
	size_t len = utf8_len(s.p, s.n);
	ucs4_t c;

	if (!len) {
		buf_addf(b, "\\x%02x", (unsigned char)*s.p);
		return 1;
	}
	u8_mbtouc(&c, (const uint8_t *)s.p, len);
	if (printable(c))
		buf_add(b, s.p, len);
	else
		buf_addf(b, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
	return len;
}

void str_quote(struct buf *b, struct str s)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < s.n;) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= 0x80) {
			i += quote_multibyte(b, str_sub(s, i, s.n));
			continue;
		}
		if (c == '"' || c == '\\')
			buf_putc(b, '\\');
		if (c < 0x20 || c == 0x7f)
			quote_control(b, c);
		else
			buf_putc(b, (char)c);
		i++;
	}
	buf_putc(b, '"');
}
