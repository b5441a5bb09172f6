/*
 * text_codec.c - character encodings; see text_funcs.c
 *
 * The Unicode forms are done here, all others by iconv, with what the web's
 * tables have otherwise put right where it is simple to say.
 */
#include <errno.h>
#include <iconv.h>
#include <unistr.h>

#include "funcs/funcs_int.h"

/* --- iconv --- */

/* Converts all of s; -1 if something cannot be represented, -2 if the machine
 * does not know the encoding. */
static int convert_text(struct buf *out, struct str s, const char *to,
			const char *from)
{
	iconv_t cd = iconv_open(to, from);
	char *in = (char *)s.p;
	size_t left = s.n, room, rc;
	bool flushed = false;

	if (cd == (iconv_t)-1)
		return -2;
	do {
		char *dst;

		buf_grow(out, 256 + left * 2);
		dst = out->p + out->len;
		room = 256 + left * 2;
		flushed = left == 0;
		rc = iconv(cd, flushed ? NULL : &in, flushed ? NULL : &left,
			   &dst, &room);
		out->len = (size_t)(dst - out->p);
	} while ((rc == 0 && !flushed) || (rc == (size_t)-1 && errno == E2BIG));
	iconv_close(cd);
	return rc == 0 ? 0 : -1; /* above 0: characters were approximated */
}

/* Private characters, which the web's encodings do not map to. */
static bool has_private(struct str s)
{
	for (size_t i = 0; i < s.n;) {
		ucs4_t ch;

		i += (size_t)u8_mbtouc(&ch, (const uint8_t *)s.p + i, s.n - i);
		if (ch >= 0xe000 && ch <= 0xf8ff)
			return true;
	}
	return false;
}

/* Does the text have C1 controls?  They come from single bytes where only pairs
 * are valid. */
static bool has_c1(struct str s)
{
	for (size_t i = 0; i + 1 < s.n; i++) {
		if (s.p[i] == '\xc2' && (unsigned char)s.p[i + 1] < 0xa0)
			return true;
	}
	return false;
}

/* GBK is the part of GB 18030 that has two bytes a character. */
static bool has_four_bytes(struct str s)
{
	for (size_t i = 0; i + 1 < s.n; i++) {
		if (!(s.p[i] & 0x80))
			continue;
		if (s.p[i + 1] >= '0' && s.p[i + 1] <= '9')
			return true;
		i++;
	}
	return false;
}

/* ... except that the euro sign has one. */
static void shorten_euro(struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++) {
		bool lead = b->p[i] & 0x80;

		if (lead && b->p[i] == '\xa2' && b->p[i + 1] == '\xe3') {
			b->p[n++] = '\x80';
			i++;
			continue;
		}
		b->p[n++] = b->p[i];
		if (lead)
			b->p[n++] = b->p[++i];
	}
	buf_set_len(b, n);
}

static int decode_wide(struct buf *out, struct str s, const char *from)
{
	size_t start = out->len;
	int rc = convert_text(out, s, "UTF-8", from);
	struct str text = str_sub(buf_view(out), start, out->len);

	/* In GB 18030 four bytes may encode any character. */
	if (rc == 0 && !(strcmp(from, "GB18030") == 0 && has_four_bytes(s)) &&
	    (has_private(text) || has_c1(text)))
		return -1;
	return rc;
}

/* Encodes s; fails if the result does not decode back to s: then a character is
 * not in the encoding. */
static int encode_wide(const struct encoding *e, struct buf *out, struct str s)
{
	size_t start = out->len;
	struct buf back = BUF_INIT;
	int rc = convert_text(out, s, e->iconv, "UTF-8");

	if (rc == 0 && strcmp(e->name, "GB18030") != 0 &&
	    (has_private(s) || has_c1(s)))
		rc = -1;
	if (rc == 0)
		rc = convert_text(&back,
				  str_sub(buf_view(out), start, out->len),
				  "UTF-8", e->iconv);
	if (rc == 0 && !str_eq(buf_view(&back), s))
		rc = -1;
	buf_release(&back);
	return rc;
}

/* --- one byte a character: a table, asked of iconv --- */

struct byte_table {
	ucs4_t ch[256]; /* 0xffffffff: none */
};

/* Bytes that the web's tables map differently from iconv's. */
static const struct {
	const char *name;
	unsigned char byte;
	ucs4_t ch;
} byte_patches[] = {
	{ "KOI8-U", 0xae, 0x45e },       { "KOI8-U", 0xbe, 0x40e },
	{ "macintosh", 0xc6, 0x2206 },   { "macintosh", 0xf0, 0xf8ff },
	{ "windows-1255", 0xca, 0x5ba },
};

/* Fills ch with the character of each single byte; -2 as convert_text. */
static int ask_iconv(const char *encoding, ucs4_t ch[256])
{
	iconv_t cd = iconv_open("UTF-8", encoding);

	if (cd == (iconv_t)-1)
		return -2;
	for (int i = 0; i < 256; i++) {
		char byte = (char)i, text[16], *in = &byte, *out = text;
		size_t left = 1, room = sizeof(text);

		ch[i] = 0xffffffff;
		iconv(cd, NULL, NULL, NULL, NULL); /* as at the beginning */
		if (iconv(cd, &in, &left, &out, &room) == 0 &&
		    iconv(cd, NULL, NULL, &out, &room) == 0 && out > text)
			u8_mbtouc(&ch[i], (const uint8_t *)text,
				  (size_t)(out - text));
	}
	iconv_close(cd);
	return 0;
}

static int byte_table_fill(const struct encoding *e, struct byte_table *t)
{
	bool iso = strncmp(e->iconv, "ISO-8859-", 9) == 0 &&
		   strcmp(e->iconv, "ISO-8859-1") != 0 &&
		   strcmp(e->iconv, "ISO-8859-9") != 0;

	if (ask_iconv(e->iconv, t->ch))
		return -2;
	/* The upper controls are not part of the ISO's sets. */
	for (int i = 0x80; iso && i < 0xa0; i++)
		t->ch[i] = 0xffffffff;
	for (size_t i = 0; i < sizeof(byte_patches) / sizeof(*byte_patches);
	     i++) {
		if (strcmp(byte_patches[i].name, e->name) == 0)
			t->ch[byte_patches[i].byte] = byte_patches[i].ch;
	}
	return 0;
}

static int decode_bytes(const struct encoding *e, struct buf *out, struct str s)
{
	struct byte_table t;
	int rc = byte_table_fill(e, &t);

	for (size_t i = 0; i < s.n && rc == 0; i++) {
		ucs4_t ch = t.ch[(unsigned char)s.p[i]];
		uint8_t enc[6];

		if (ch == 0xffffffff)
			rc = -1;
		else
			buf_add(out, enc,
				(size_t)u8_uctomb(enc, ch, sizeof(enc)));
	}
	return rc;
}

static int encode_bytes(const struct encoding *e, struct buf *out, struct str s)
{
	struct byte_table t;
	int rc = byte_table_fill(e, &t);

	for (size_t i = 0; i < s.n && rc == 0;) {
		int byte = 0;
		ucs4_t ch;

		i += (size_t)u8_mbtouc(&ch, (const uint8_t *)s.p + i, s.n - i);
		while (byte < 256 && t.ch[byte] != ch)
			byte++;
		if (byte == 256)
			rc = -1;
		else
			buf_putc(out, (char)byte);
	}
	return rc;
}

/* --- HZ: GB 2312 without the high bits, between ~{ and ~} --- */

static int encode_hz(struct buf *out, struct str s)
{
	bool shifted = false;
	int rc = 0;

	for (size_t i = 0; i < s.n && rc == 0;) {
		size_t n = utf8_len(s.p + i, s.n - i);
		struct buf pair = BUF_INIT;

		if ((n > 1) != shifted)
			buf_puts(out, n > 1 ? "~{" : "~}");
		shifted = n > 1;
		if (n <= 1) {
			buf_puts(out, s.p[i] == '~' ? "~" : "");
			buf_putc(out, s.p[i]);
			i++;
			continue;
		}
		rc = convert_text(&pair, str_sub(s, i, i + n), "EUC-CN",
				  "UTF-8");
		for (size_t k = 0; k < pair.len; k++)
			buf_putc(out, pair.p[k] & 0x7f);
		buf_release(&pair);
		i += n;
	}
	return rc;
}

static int decode_hz(struct buf *out, struct str s)
{
	bool shifted = false;
	int rc = 0;

	for (size_t i = 0; i < s.n && rc == 0;) {
		char next = i + 1 < s.n ? s.p[i + 1] : '\0', pair[2];

		if (s.p[i] & 0x80)
			return -1;
		if (s.p[i] == '~') {
			if (next == '{' || next == '}')
				shifted = next == '{';
			else if (next == '~')
				buf_putc(out, '~');
			else if (next != '\n')
				return -1;
			i += 2;
		} else if (!shifted) {
			buf_putc(out, s.p[i++]);
		} else {
			if (i + 1 == s.n || (next & 0x80))
				return -1;
			pair[0] = (char)(s.p[i] | 0x80);
			pair[1] = (char)(next | 0x80);
			rc = convert_text(out, (struct str){ pair, 2 }, "UTF-8",
					  "EUC-CN");
			i += 2;
		}
	}
	return rc;
}

/* --- UTF-16 --- */

static void put_unit(struct buf *b, unsigned unit, bool little)
{
	buf_putc(b, (char)(little ? unit : unit >> 8));
	buf_putc(b, (char)(little ? unit >> 8 : unit));
}

static void encode_utf16(struct buf *b, struct str s, bool little, bool mark)
{
	if (mark)
		put_unit(b, 0xfeff, little);
	for (size_t i = 0; i < s.n;) {
		ucs4_t ch;

		i += (size_t)u8_mbtouc(&ch, (const uint8_t *)s.p + i, s.n - i);
		if (ch < 0x10000) {
			put_unit(b, ch, little);
			continue;
		}
		put_unit(b, 0xd800 + ((ch - 0x10000) >> 10), little);
		put_unit(b, 0xdc00 + ((ch - 0x10000) & 0x3ff), little);
	}
}

static ucs4_t unit_at(struct str s, size_t i, bool little)
{
	const unsigned char *p = (const unsigned char *)s.p + i;

	return little ? p[0] | (ucs4_t)p[1] << 8 : p[1] | (ucs4_t)p[0] << 8;
}

static int decode_utf16(struct buf *b, struct str s, bool little, bool mark)
{
	if (mark && s.n >= 2 && unit_at(s, 0, true) == 0xfeff)
		little = true;
	if (mark && s.n >= 2 && unit_at(s, 0, little) == 0xfeff)
		s = str_sub(s, 2, s.n);
	if (s.n % 2)
		return -1;
	for (size_t i = 0; i < s.n; i += 2) {
		ucs4_t ch = unit_at(s, i, little), low;
		uint8_t enc[6];

		if (ch >= 0xd800 && ch < 0xe000) {
			low = i + 2 < s.n ? unit_at(s, i + 2, little) : 0;
			if (ch >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
				return -1;
			ch = 0x10000 + ((ch - 0xd800) << 10) + (low - 0xdc00);
			i += 2;
		}
		buf_add(b, enc, (size_t)u8_uctomb(enc, ch, sizeof(enc)));
	}
	return 0;
}

static bool is_encoding(const struct encoding *e, const char *name)
{
	return strcmp(e->name, name) == 0;
}

int encoding_encode(const struct encoding *e, struct buf *out, struct str s)
{
	int rc = 0;

	switch (e->kind) {
	case BYTES:
		return encode_bytes(e, out, s);
	case HZ:
		return encode_hz(out, s);
	case WIDE:
		rc = encode_wide(e, out, s);
		if (rc == 0 && is_encoding(e, "GBK")) {
			if (has_four_bytes(buf_view(out)))
				return -1;
			shorten_euro(out);
		}
		return rc;
	case UTF8:
		buf_str(out, s);
		return 0;
	default:
		encode_utf16(out, s, is_encoding(e, "UTF-16LE"),
			     is_encoding(e, "UTF-16"));
		return 0;
	}
}

int encoding_decode(const struct encoding *e, struct buf *out, struct str s)
{
	switch (e->kind) {
	case BYTES:
		return decode_bytes(e, out, s);
	case HZ:
		return decode_hz(out, s);
	case WIDE:
		if (is_encoding(e, "GBK") && has_four_bytes(s))
			return -1;
		return decode_wide(out, s, e->iconv);
	case UTF8:
		buf_str(out, s);
		return str_utf8_valid(s) ? 0 : -1;
	default:
		return decode_utf16(out, s, is_encoding(e, "UTF-16LE"),
				    is_encoding(e, "UTF-16"));
	}
}
