/*
 * regex_class.c - sets of characters, written for PCRE2; see regex_int.h
 *
 * Each function appends text for use between brackets.
 */
#include <unictype.h>

#include "funcs/regex/regex_int.h"

enum {
	SURROGATES = 0xd800,
	AFTER_SURROGATES = 0xe000,
	LONG_S = 0x17f,      /* equals s but for case */
	KELVIN_SIGN = 0x212a /* equals k */
};

void class_range(struct buf *b, ucs4_t lo, ucs4_t hi)
{
	if (lo >= SURROGATES && lo < AFTER_SURROGATES)
		lo = AFTER_SURROGATES;
	if (hi >= SURROGATES && hi < AFTER_SURROGATES)
		hi = SURROGATES - 1;
	if (lo == hi)
		buf_addf(b, "\\x{%x}", lo);
	else if (lo < hi)
		buf_addf(b, "\\x{%x}-\\x{%x}", lo, hi);
}

/* Ranges given as pairs of characters in ascending order. */
static void add_pairs(struct buf *b, const char *pairs)
{
	for (; *pairs; pairs += 2)
		class_range(b, (ucs4_t)pairs[0], (ucs4_t)pairs[1]);
}

/* Does a class of ASCII letters hold this one? */
static bool has(const char *pairs, char letter)
{
	for (; *pairs; pairs += 2) {
		if (letter >= pairs[0] && letter <= pairs[1])
			return true;
	}
	return false;
}

/* All but the ranges; zero: U+0000 is in them, too.  Regardless of case the
 * letters of another case are out, too. */
static void add_others(struct buf *b, const char *pairs, bool zero, bool fold)
{
	ucs4_t from = zero ? 1 : 0;
	bool out[0x80] = { false };

	for (const char *p = pairs; *p; p += 2) {
		for (int ch = p[0]; ch <= p[1]; ch++) {
			bool letter = (ch | 32) >= 'a' && (ch | 32) <= 'z';

			out[ch] = true;
			if (fold && letter)
				out[ch ^ 32] = true;
		}
	}
	for (ucs4_t ch = from; ch < 0x80; ch++) {
		if (!out[ch])
			class_range(b, ch, ch);
	}
	if (!fold || !(out['s'] || out['k'])) {
		class_range(b, 0x80, LAST_CHAR);
		return;
	}
	class_range(b, 0x80, LONG_S - 1);
	class_range(b, LONG_S + 1, KELVIN_SIGN - 1);
	class_range(b, KELVIN_SIGN + 1, LAST_CHAR);
}

bool class_perl(struct buf *b, char letter, bool fold)
{
	static const char digits[] = "09", spaces[] = "\t\n\f\r  ",
			  words[] = "09AZ__az";
	const char *pairs = letter == 'd' || letter == 'D'   ? digits
			    : letter == 's' || letter == 'S' ? spaces
			    : letter == 'w' || letter == 'W' ? words
							     : NULL;

	if (!pairs)
		return false;
	if (letter < 'a')
		add_others(b, pairs, false, fold);
	else
		add_pairs(b, pairs);
	return true;
}

bool class_posix(struct buf *b, struct str name, bool fold)
{
	static const struct {
		const char *name, *pairs;
	} classes[] = {
		{ "alnum", "09AZaz" },   { "alpha", "AZaz" },
		{ "ascii", "\x01\x7f" }, /* and U+0000, see below */
		{ "blank", "\t\t  " },   { "cntrl", "\x01\x1f\x7f\x7f" },
		{ "digit", "09" },       { "graph", "!~" },
		{ "lower", "az" },       { "print", " ~" },
		{ "punct", "!/:@[`{~" }, { "space", "\t\r  " },
		{ "upper", "AZ" },       { "word", "09AZ__az" },
		{ "xdigit", "09AFaf" },
	};
	bool negate = name.n && name.p[0] == '^';

	if (negate)
		name = str_sub(name, 1, name.n);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		bool zero = has(classes[i].pairs, '\x01');

		if (!str_is(name, classes[i].name))
			continue;
		if (negate) {
			add_others(b, classes[i].pairs, zero, fold);
			return true;
		}
		add_pairs(b, classes[i].pairs);
		if (zero)
			class_range(b, 0, 0);
		return true;
	}
	return false;
}

/* As Unicode's own lists spell names: Old_Italic, Lu. */
static char *canonical_name(struct arena *a, struct str name)
{
	char *s = arena_strndup(a, name.p, name.n);
	bool start = true;

	for (char *p = s; *p; p++) {
		if (*p == ' ' || *p == '-')
			*p = '_';
		if (start && *p >= 'a' && *p <= 'z')
			*p = (char)(*p - 32);
		else if (!start && *p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
		start = *p == '_';
	}
	return s;
}

/* The categories of cased letters are one regardless of case. */
static const char *category_name(const char *name, bool fold)
{
	uc_general_category_t c = uc_general_category_byname(name);
	const char *s = c.bitmask ? uc_general_category_name(c) : NULL;

	if (s && (strcmp(s, "LC") == 0 ||
		  (fold && (strcmp(s, "Lu") == 0 || strcmp(s, "Ll") == 0 ||
			    strcmp(s, "Lt") == 0))))
		return "L&";
	return s;
}

bool class_unicode(struct arena *a, struct buf *b, struct str name, bool negate,
		   bool fold)
{
	const char *canonical, *category;
	const uc_script_t *script;

	if (name.n && name.p[0] == '^') {
		negate = !negate;
		name = str_sub(name, 1, name.n);
	}
	canonical = canonical_name(a, name);
	if (strcmp(canonical, "Any") == 0) {
		if (!negate)
			class_range(b, 0, LAST_CHAR);
		return true;
	}
	if (strcmp(canonical, "Ascii") == 0) {
		class_range(b, negate ? 0x80 : 0, negate ? LAST_CHAR : 0x7f);
		return true;
	}
	if (strcmp(canonical, "Assigned") == 0) {
		buf_puts(b, negate ? "\\p{Cn}" : "\\P{Cn}");
		return true;
	}
	category =
		category_name(strcmp(canonical, "Lc") == 0 ? "LC" : canonical,
			      fold);
	if (category) {
		buf_addf(b, "\\%c{%s}", negate ? 'P' : 'p', category);
		return true;
	}
	script = uc_script_byname(canonical);
	if (!script)
		return false;
	buf_addf(b, "\\%c{sc:%s}", negate ? 'P' : 'p', canonical);
	return true;
}

void class_close(struct buf *out, struct buf *b, bool negate, bool fold)
{
	if (b->len == 0) { /* nothing but surrogates */
		class_range(b, 0, LAST_CHAR);
		negate = !negate;
	}
	buf_addf(out, "%s[%s%.*s]%s", fold ? "(?i:" : "", negate ? "^" : "",
		 STR_ARG(buf_view(b)), fold ? ")" : "");
	buf_set_len(b, 0);
}
