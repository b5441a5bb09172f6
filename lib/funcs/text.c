/*
 * text.c - textdecodebase64, textencodebase64
 *
 * The Unicode forms are done here, all others by iconv.  The names are those
 * that the IANA registered for the encodings that OpenTofu supports; iconv's
 * name is that of the encoding the web (and OpenTofu) means by it.
 */
#include <errno.h>
#include <iconv.h>
#include <strings.h>
#include <unistr.h>

#include "base/base64.h"
#include "funcs/funcs_int.h"

static const struct encoding {
	const char *name;   /* as messages tell it */
	const char *iconv;  /* NULL: done here */
	const char *aliases; /* separated by spaces, name included */
} encodings[] = {
	{ "UTF-8", NULL, "utf-8 csutf8" },
	{ "UTF-16", NULL, "utf-16 csutf16" },
	{ "UTF-16BE", NULL, "utf-16be csutf16be" },
	{ "UTF-16LE", NULL, "utf-16le csutf16le" },
	{ "US-ASCII", "ASCII",
	  "us-ascii ansi_x3.4-1968 ansi_x3.4-1986 cp367 csascii ibm367 "
	  "iso-ir-6 iso646-us iso_646.irv:1991 us" },
	{ "IBM037", "CP037",
	  "ibm037 cp037 csibm037 ebcdic-cp-ca ebcdic-cp-nl ebcdic-cp-us "
	  "ebcdic-cp-wt" },
	{ "IBM437", "CP437", "ibm437 437 cp437 cspc8codepage437" },
	{ "IBM850", "CP850", "ibm850 850 cp850 cspc850multilingual" },
	{ "IBM852", "CP852", "ibm852 852 cp852 cspcp852" },
	{ "IBM855", "CP855", "ibm855 855 cp855 csibm855" },
	{ "IBM00858", "CP858",
	  "ibm00858 ccsid00858 cp00858 csibm00858 pc-multilingual-850+euro" },
	{ "IBM860", "CP860", "ibm860 860 cp860 csibm860" },
	{ "IBM862", "CP862", "ibm862 862 cp862 cspc862latinhebrew" },
	{ "IBM863", "CP863", "ibm863 863 cp863 csibm863" },
	{ "IBM865", "CP865", "ibm865 865 cp865 csibm865" },
	{ "IBM866", "CP866", "ibm866 866 cp866 csibm866" },
	{ "IBM1047", "IBM1047", "ibm1047 ibm-1047 csibm1047" },
	{ "IBM01140", "CP1140",
	  "ibm01140 ccsid01140 cp01140 csibm01140 ebcdic-us-37+euro" },
	{ "ISO_8859-1:1987", "ISO-8859-1",
	  "iso_8859-1:1987 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 "
	  "iso_8859-1 l1 latin1" },
	{ "ISO_8859-2:1987", "ISO-8859-2",
	  "iso_8859-2:1987 csisolatin2 iso-8859-2 iso-ir-101 iso_8859-2 l2 "
	  "latin2" },
	{ "ISO_8859-3:1988", "ISO-8859-3",
	  "iso_8859-3:1988 csisolatin3 iso-8859-3 iso-ir-109 iso_8859-3 l3 "
	  "latin3" },
	{ "ISO_8859-4:1988", "ISO-8859-4",
	  "iso_8859-4:1988 csisolatin4 iso-8859-4 iso-ir-110 iso_8859-4 l4 "
	  "latin4" },
	{ "ISO_8859-5:1988", "ISO-8859-5",
	  "iso_8859-5:1988 csisolatincyrillic cyrillic iso-8859-5 "
	  "iso-ir-144 iso_8859-5" },
	{ "ISO_8859-6:1987", "ISO-8859-6",
	  "iso_8859-6:1987 arabic asmo-708 csisolatinarabic ecma-114 "
	  "iso-8859-6 iso-ir-127 iso_8859-6" },
	{ "ISO_8859-6-E", "ISO-8859-6",
	  "iso_8859-6-e csiso88596e iso-8859-6-e" },
	{ "ISO_8859-6-I", "ISO-8859-6",
	  "iso_8859-6-i csiso88596i iso-8859-6-i" },
	{ "ISO_8859-7:1987", "ISO-8859-7",
	  "iso_8859-7:1987 csisolatingreek ecma-118 elot_928 greek greek8 "
	  "iso-8859-7 iso-ir-126 iso_8859-7" },
	{ "ISO_8859-8:1988", "ISO-8859-8",
	  "iso_8859-8:1988 csisolatinhebrew hebrew iso-8859-8 iso-ir-138 "
	  "iso_8859-8" },
	{ "ISO_8859-8-E", "ISO-8859-8",
	  "iso_8859-8-e csiso88598e iso-8859-8-e" },
	{ "ISO_8859-8-I", "ISO-8859-8",
	  "iso_8859-8-i csiso88598i iso-8859-8-i" },
	{ "ISO_8859-9:1989", "ISO-8859-9",
	  "iso_8859-9:1989 csisolatin5 iso-8859-9 iso-ir-148 iso_8859-9 l5 "
	  "latin5" },
	{ "ISO-8859-10", "ISO-8859-10",
	  "iso-8859-10 csisolatin6 iso-ir-157 iso_8859-10:1992 l6 latin6" },
	{ "ISO-8859-13", "ISO-8859-13", "iso-8859-13 csiso885913" },
	{ "ISO-8859-14", "ISO-8859-14",
	  "iso-8859-14 csiso885914 iso-celtic iso-ir-199 iso_8859-14 "
	  "iso_8859-14:1998 l8 latin8" },
	{ "ISO-8859-15", "ISO-8859-15",
	  "iso-8859-15 csiso885915 iso_8859-15 latin-9" },
	{ "ISO-8859-16", "ISO-8859-16",
	  "iso-8859-16 csiso885916 iso-ir-226 iso_8859-16 iso_8859-16:2001 "
	  "l10 latin10" },
	{ "KOI8-R", "KOI8-R", "koi8-r cskoi8r" },
	{ "KOI8-U", "KOI8-U", "koi8-u cskoi8u" },
	{ "macintosh", "MACINTOSH", "macintosh csmacintosh mac" },
	{ "windows-874", "CP874", "windows-874 cswindows874" },
	{ "windows-1250", "CP1250", "windows-1250 cswindows1250" },
	{ "windows-1251", "CP1251", "windows-1251 cswindows1251" },
	{ "windows-1252", "CP1252", "windows-1252 cswindows1252" },
	{ "windows-1253", "CP1253", "windows-1253 cswindows1253" },
	{ "windows-1254", "CP1254", "windows-1254 cswindows1254" },
	{ "windows-1255", "CP1255", "windows-1255 cswindows1255" },
	{ "windows-1256", "CP1256", "windows-1256 cswindows1256" },
	{ "windows-1257", "CP1257", "windows-1257 cswindows1257" },
	{ "windows-1258", "CP1258", "windows-1258 cswindows1258" },
	{ "EUC-JP", "EUC-JP-MS",
	  "euc-jp cseucpkdfmtjapanese "
	  "extended_unix_code_packed_format_for_japanese" },
	{ "ISO-2022-JP", "ISO-2022-JP", "iso-2022-jp csiso2022jp" },
	{ "Shift_JIS", "CP932", "shift_jis csshiftjis ms_kanji" },
	{ "EUC-KR", "UHC", "euc-kr cseuckr" },
	{ "GB18030", "GB18030", "gb18030 csgb18030" },
	{ "GBK", "GBK", "gbk cp936 csgbk ms936 windows-936" },
	{ "HZ-GB-2312", "EUC-CN", "hz-gb-2312" },
	{ "Big5", "BIG5-HKSCS", "big5 csbig5" },
};

static bool has_alias(const char *aliases, struct str name)
{
	while (*aliases) {
		size_t n = strcspn(aliases, " ");

		if (n == name.n && strncasecmp(aliases, name.p, n) == 0)
			return true;
		aliases += n + (aliases[n] == ' ');
	}
	return false;
}

static const struct encoding *find_encoding(struct str name)
{
	while (name.n && strchr(" \t\r\n\v\f", name.p[0]) && name.p[0])
		name = str_sub(name, 1, name.n);
	while (name.n && strchr(" \t\r\n\v\f", name.p[name.n - 1]) &&
	       name.p[name.n - 1])
		name.n--;
	for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		if (has_alias(encodings[i].aliases, name))
			return &encodings[i];
	}
	return NULL;
}

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
		/* a positive count: approximated characters */
	} while ((rc == 0 && !flushed) ||
		 (rc == (size_t)-1 && errno == E2BIG));
	iconv_close(cd);
	return rc == 0 ? 0 : -1;
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
	if (shifted)
		buf_puts(out, "~}");
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
			rc = convert_text(out, (struct str){ pair, 2 },
					  "UTF-8", "EUC-CN");
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
	if (mark && s.n)
		put_unit(b, 0xfeff, little);
	for (size_t i = 0; i < s.n;) {
		ucs4_t ch;

		i += (size_t)u8_mbtouc(&ch, (const uint8_t *)s.p + i,
				       s.n - i);
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

/* --- the functions --- */

static bool is_encoding(const struct encoding *e, const char *name)
{
	return strcmp(e->name, name) == 0;
}

static int encode(const struct encoding *e, struct buf *out, struct str s)
{
	if (is_encoding(e, "HZ-GB-2312"))
		return encode_hz(out, s);
	if (e->iconv)
		return convert_text(out, s, e->iconv, "UTF-8");
	if (is_encoding(e, "UTF-8"))
		buf_str(out, s);
	else
		encode_utf16(out, s, is_encoding(e, "UTF-16LE"),
			     is_encoding(e, "UTF-16"));
	return 0;
}

static int decode(const struct encoding *e, struct buf *out, struct str s)
{
	if (is_encoding(e, "HZ-GB-2312"))
		return decode_hz(out, s);
	if (e->iconv)
		return convert_text(out, s, "UTF-8", e->iconv);
	if (is_encoding(e, "UTF-8")) {
		buf_str(out, s);
		return str_utf8_valid(s) ? 0 : -1;
	}
	return decode_utf16(out, s, is_encoding(e, "UTF-16LE"),
			    is_encoding(e, "UTF-16"));
}

static const struct encoding *encoding_arg(struct func_call *c)
{
	const struct encoding *e = find_encoding(arg_str(c, 1));

	if (!e)
		func_fail(c, 1, "%.*s is not a supported IANA encoding name "
			  "or alias", STR_ARG(quote(c->arena,
						    arg_str(c, 1))));
	return e;
}

static const struct value *conversion_failed(struct func_call *c,
					     const struct encoding *e, int rc,
					     const char *what)
{
	if (rc == -2)
		return func_fail(c, 1, "%s is not available on this machine",
				 e->name);
	return func_fail(c, 0, "the given string contains %s %s", what,
			 e->name);
}

static const struct value *do_textencodebase64(struct func_call *c)
{
	const struct encoding *e = encoding_arg(c);
	struct str encoded = STR("");
	struct buf b = BUF_INIT;
	int rc;

	if (!e)
		return NULL;
	rc = encode(e, &b, arg_str(c, 0));
	if (rc == 0)
		encoded = base64_encode(c->arena, buf_view(&b));
	buf_release(&b);
	if (rc)
		return conversion_failed(c, e, rc, "characters that cannot "
						   "be represented in");
	return value_string(c->arena, encoded);
}

const struct func func_textencodebase64 = {
	.name = "textencodebase64",
	.description = "The string in another character encoding, in Base64.",
	.params = PARAMS({ "string", &type_string, 0, NULL },
			 { "encoding", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_textencodebase64,
};

static const struct value *do_textdecodebase64(struct func_call *c)
{
	const struct encoding *e = encoding_arg(c);
	struct buf b = BUF_INIT, decoded = BUF_INIT;
	size_t bad;
	int rc;

	if (!e)
		return NULL;
	if (base64_read(&b, arg_str(c, 0), &bad)) {
		buf_release(&b);
		return func_fail(c, 0, "the given value has an invalid "
				 "base64 symbol at offset %zu", bad);
	}
	rc = decode(e, &decoded, buf_view(&b));
	buf_release(&b);
	if (rc == 0 && str_find(buf_view(&decoded), STR("\xef\xbf\xbd")) >= 0)
		rc = -1; /* the replacement character means a mistake */
	if (rc == 0)
		return buf_value(c->arena, &decoded);
	buf_release(&decoded);
	return conversion_failed(c, e, rc,
				 "symbols that are not defined for");
}

const struct func func_textdecodebase64 = {
	.name = "textdecodebase64",
	.description = "The string whose bytes in another character encoding "
		       "are given in Base64.",
	.params = PARAMS({ "source", &type_string, 0, NULL },
			 { "encoding", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_textdecodebase64,
};
