/*
 * text_funcs.c - textdecodebase64, textencodebase64
 *
 * The names are those that the IANA registered for the encodings that OpenTofu
 * supports; iconv's name is that of the encoding the web (and OpenTofu) means
 * by it.
 */
#include <strings.h>

#include "base/base64.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"

static const struct encoding encodings[] = {
	{ UTF8, "UTF-8", NULL, "utf-8 csutf8" },
	{ UTF16, "UTF-16", NULL, "utf-16 csutf16" },
	{ UTF16, "UTF-16BE", NULL, "utf-16be csutf16be" },
	{ UTF16, "UTF-16LE", NULL, "utf-16le csutf16le" },
	{ BYTES, "US-ASCII", "ASCII",
	  "us-ascii ansi_x3.4-1968 ansi_x3.4-1986 cp367 csascii ibm367 "
	  "iso-ir-6 iso646-us iso_646.irv:1991 us" },
	{ BYTES, "IBM037", "CP037",
	  "ibm037 cp037 csibm037 ebcdic-cp-ca ebcdic-cp-nl ebcdic-cp-us "
	  "ebcdic-cp-wt" },
	{ BYTES, "IBM437", "CP437", "ibm437 437 cp437 cspc8codepage437" },
	{ BYTES, "IBM850", "CP850", "ibm850 850 cp850 cspc850multilingual" },
	{ BYTES, "IBM852", "CP852", "ibm852 852 cp852 cspcp852" },
	{ BYTES, "IBM855", "CP855", "ibm855 855 cp855 csibm855" },
	{ BYTES, "IBM00858", "CP858",
	  "ibm00858 ccsid00858 cp00858 csibm00858 pc-multilingual-850+euro" },
	{ BYTES, "IBM860", "CP860", "ibm860 860 cp860 csibm860" },
	{ BYTES, "IBM862", "CP862", "ibm862 862 cp862 cspc862latinhebrew" },
	{ BYTES, "IBM863", "CP863", "ibm863 863 cp863 csibm863" },
	{ BYTES, "IBM865", "CP865", "ibm865 865 cp865 csibm865" },
	{ BYTES, "IBM866", "CP866", "ibm866 866 cp866 csibm866" },
	{ BYTES, "IBM1047", "IBM1047", "ibm1047 ibm-1047 csibm1047" },
	{ BYTES, "IBM01140", "CP1140",
	  "ibm01140 ccsid01140 cp01140 csibm01140 ebcdic-us-37+euro" },
	{ BYTES, "ISO_8859-1:1987", "ISO-8859-1",
	  "iso_8859-1:1987 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 "
	  "iso_8859-1 l1 latin1" },
	{ BYTES, "ISO_8859-2:1987", "ISO-8859-2",
	  "iso_8859-2:1987 csisolatin2 iso-8859-2 iso-ir-101 iso_8859-2 l2 latin2" },
	{ BYTES, "ISO_8859-3:1988", "ISO-8859-3",
	  "iso_8859-3:1988 csisolatin3 iso-8859-3 iso-ir-109 iso_8859-3 l3 latin3" },
	{ BYTES, "ISO_8859-4:1988", "ISO-8859-4",
	  "iso_8859-4:1988 csisolatin4 iso-8859-4 iso-ir-110 iso_8859-4 l4 latin4" },
	{ BYTES, "ISO_8859-5:1988", "ISO-8859-5",
	  "iso_8859-5:1988 csisolatincyrillic cyrillic iso-8859-5 "
	  "iso-ir-144 iso_8859-5" },
	{ BYTES, "ISO_8859-6:1987", "ISO-8859-6",
	  "iso_8859-6:1987 arabic asmo-708 csisolatinarabic ecma-114 "
	  "iso-8859-6 iso-ir-127 iso_8859-6" },
	{ BYTES, "ISO_8859-6-E", "ISO-8859-6",
	  "iso_8859-6-e csiso88596e iso-8859-6-e" },
	{ BYTES, "ISO_8859-6-I", "ISO-8859-6",
	  "iso_8859-6-i csiso88596i iso-8859-6-i" },
	{ BYTES, "ISO_8859-7:1987", "ISO-8859-7",
	  "iso_8859-7:1987 csisolatingreek ecma-118 elot_928 greek greek8 "
	  "iso-8859-7 iso-ir-126 iso_8859-7" },
	{ BYTES, "ISO_8859-8:1988", "ISO-8859-8",
	  "iso_8859-8:1988 csisolatinhebrew hebrew iso-8859-8 iso-ir-138 "
	  "iso_8859-8" },
	{ BYTES, "ISO_8859-8-E", "ISO-8859-8",
	  "iso_8859-8-e csiso88598e iso-8859-8-e" },
	{ BYTES, "ISO_8859-8-I", "ISO-8859-8",
	  "iso_8859-8-i csiso88598i iso-8859-8-i" },
	{ BYTES, "ISO_8859-9:1989", "ISO-8859-9",
	  "iso_8859-9:1989 csisolatin5 iso-8859-9 iso-ir-148 iso_8859-9 l5 latin5" },
	{ BYTES, "ISO-8859-10", "ISO-8859-10",
	  "iso-8859-10 csisolatin6 iso-ir-157 iso_8859-10:1992 l6 latin6" },
	{ BYTES, "ISO-8859-13", "ISO-8859-13", "iso-8859-13 csiso885913" },
	{ BYTES, "ISO-8859-14", "ISO-8859-14",
	  "iso-8859-14 csiso885914 iso-celtic iso-ir-199 iso_8859-14 "
	  "iso_8859-14:1998 l8 latin8" },
	{ BYTES, "ISO-8859-15", "ISO-8859-15",
	  "iso-8859-15 csiso885915 iso_8859-15 latin-9" },
	{ BYTES, "ISO-8859-16", "ISO-8859-16",
	  "iso-8859-16 csiso885916 iso-ir-226 iso_8859-16 iso_8859-16:2001 "
	  "l10 latin10" },
	{ BYTES, "KOI8-R", "KOI8-R", "koi8-r cskoi8r" },
	{ BYTES, "KOI8-U", "KOI8-U", "koi8-u cskoi8u" },
	{ BYTES, "macintosh", "MACINTOSH", "macintosh csmacintosh mac" },
	{ BYTES, "windows-874", "CP874", "windows-874 cswindows874" },
	{ BYTES, "windows-1250", "CP1250", "windows-1250 cswindows1250" },
	{ BYTES, "windows-1251", "CP1251", "windows-1251 cswindows1251" },
	{ BYTES, "windows-1252", "CP1252", "windows-1252 cswindows1252" },
	{ BYTES, "windows-1253", "CP1253", "windows-1253 cswindows1253" },
	{ BYTES, "windows-1254", "CP1254", "windows-1254 cswindows1254" },
	{ BYTES, "windows-1255", "CP1255", "windows-1255 cswindows1255" },
	{ BYTES, "windows-1256", "CP1256", "windows-1256 cswindows1256" },
	{ BYTES, "windows-1257", "CP1257", "windows-1257 cswindows1257" },
	{ BYTES, "windows-1258", "CP1258", "windows-1258 cswindows1258" },
	{ WIDE, "EUC-JP", "EUC-JP-MS",
	  "euc-jp cseucpkdfmtjapanese "
	  "extended_unix_code_packed_format_for_japanese" },
	{ WIDE, "ISO-2022-JP", "ISO-2022-JP", "iso-2022-jp csiso2022jp" },
	{ WIDE, "Shift_JIS", "CP932", "shift_jis csshiftjis ms_kanji" },
	{ WIDE, "EUC-KR", "UHC", "euc-kr cseuckr" },
	{ WIDE, "GB18030", "GB18030", "gb18030 csgb18030" },
	{ WIDE, "GBK", "GB18030", "gbk cp936 csgbk ms936 windows-936" },
	{ HZ, "HZ-GB-2312", "EUC-CN", "hz-gb-2312" },
	{ WIDE, "Big5", "BIG5-HKSCS", "big5 csbig5" },
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
	name = str_trim(name);
	for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		if (has_alias(encodings[i].aliases, name))
			return &encodings[i];
	}
	return NULL;
}

/* --- the functions --- */

static const struct encoding *encoding_arg(struct func_call *c)
{
	const struct encoding *e = find_encoding(arg_str(c, 1));

	if (!e)
		func_fail(c, 1,
			  "%.*s is not a supported IANA encoding name or alias",
			  STR_ARG(func_quote(c->arena, arg_str(c, 1))));
	return e;
}

static const struct value *conversion_failed(struct func_call *c,
					     const struct encoding *e, int rc,
					     const char *what)
{
	if (rc == -2)
		return func_fail(c, 1, "%.*s is not available on this machine",
				 STR_ARG(str_c(e->name)));
	return func_fail(c, 0, "the given string contains %s %.*s", what,
			 STR_ARG(str_c(e->name)));
}

static const struct value *do_textencodebase64(struct func_call *c)
{
	const struct encoding *e = encoding_arg(c);
	struct str encoded = STR("");
	struct buf b = BUF_INIT;
	int rc;

	if (!e)
		return NULL;
	rc = encoding_encode(e, &b, arg_str(c, 0));
	if (rc == 0)
		encoded = base64_encode(c->arena, buf_view(&b));
	buf_release(&b);
	if (rc)
		return conversion_failed(
			c, e, rc, "characters that cannot be represented in");
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
	if (encoding_base64_read(&b, arg_str(c, 0), &bad)) {
		buf_release(&b);
		return func_fail(
			c, 0,
			"the given value has an invalid base64 symbol at offset %zu",
			bad);
	}
	rc = encoding_decode(e, &decoded, buf_view(&b));
	buf_release(&b);
	if (rc == 0 && str_find(buf_view(&decoded), STR("\xef\xbf\xbd")) >= 0)
		rc = -1; /* the replacement character means a mistake */
	if (rc == 0)
		return buf_value(c->arena, &decoded);
	buf_release(&decoded);
	return conversion_failed(c, e, rc, "symbols that are not defined for");
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
