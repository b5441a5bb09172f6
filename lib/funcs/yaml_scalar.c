/*
 * yaml_scalar.c - what YAML scalars mean
 *
 * YAML 1.1 with the numbers of 1.2, as OpenTofu reads it: yes and on are true,
 * timestamps become RFC 3339 strings, 017 is seventeen and 0o17 fifteen.
 */
#include <errno.h>
#include <stdlib.h>

#include "funcs/funcs_int.h"
#include "value/number.h"

#define TAG "tag:yaml.org,2002:"

enum word_kind {
	NO_WORD,
	WORD_TRUE,
	WORD_FALSE,
	WORD_NULL,
	WORD_INF,
	WORD_MINUS_INF
};

static enum word_kind word(struct str s)
{
	static const struct {
		const char *text;
		enum word_kind kind;
	} words[] = {
		{ "y", WORD_TRUE },          { "Y", WORD_TRUE },
		{ "yes", WORD_TRUE },        { "Yes", WORD_TRUE },
		{ "YES", WORD_TRUE },        { "true", WORD_TRUE },
		{ "True", WORD_TRUE },       { "TRUE", WORD_TRUE },
		{ "on", WORD_TRUE },         { "On", WORD_TRUE },
		{ "ON", WORD_TRUE },         { "n", WORD_FALSE },
		{ "N", WORD_FALSE },         { "no", WORD_FALSE },
		{ "No", WORD_FALSE },        { "NO", WORD_FALSE },
		{ "false", WORD_FALSE },     { "False", WORD_FALSE },
		{ "FALSE", WORD_FALSE },     { "off", WORD_FALSE },
		{ "Off", WORD_FALSE },       { "OFF", WORD_FALSE },
		{ "", WORD_NULL },           { "~", WORD_NULL },
		{ "null", WORD_NULL },       { "Null", WORD_NULL },
		{ "NULL", WORD_NULL },       { ".inf", WORD_INF },
		{ ".Inf", WORD_INF },        { ".INF", WORD_INF },
		{ "+.inf", WORD_INF },       { "+.Inf", WORD_INF },
		{ "+.INF", WORD_INF },       { "-.inf", WORD_MINUS_INF },
		{ "-.Inf", WORD_MINUS_INF }, { "-.INF", WORD_MINUS_INF },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (str_is(s, words[i].text))
			return words[i].kind;
	}
	return NO_WORD;
}

static const struct value *infinity(struct arena *a, bool negative)
{
	return value_double(a, negative ? -__builtin_inf() : __builtin_inf());
}

static const struct value *word_value(struct arena *a, enum word_kind kind)
{
	switch (kind) {
	case WORD_TRUE:
		return &value_true;
	case WORD_FALSE:
		return &value_false;
	case WORD_INF:
	case WORD_MINUS_INF:
		return infinity(a, kind == WORD_MINUS_INF);
	default:
		return &value_null_dynamic;
	}
}

static size_t skip_digits(struct str s, size_t i, const char *set)
{
	while (i < s.n && s.p[i] && strchr(set, s.p[i]))
		i++;
	return i;
}

#define DEC "0123456789"

/* [-+]?[0-9]+ | 0o[0-7]+ | 0x[0-9a-fA-F]+ */
static bool looks_whole(struct str s)
{
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');

	if (s.n > 2 && str_starts(s, "0o"))
		return skip_digits(s, 2, "01234567") == s.n;
	if (s.n > 2 && str_starts(s, "0x"))
		return skip_digits(s, 2, DEC "abcdefABCDEF") == s.n;
	return i < s.n && skip_digits(s, i, DEC) == s.n;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool looks_real(struct str s)
{
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	size_t end = skip_digits(s, i, DEC), from;
	bool whole = end > i;

	i = end;
	if (i < s.n && s.p[i] == '.') {
		end = skip_digits(s, i + 1, DEC);
		if (!whole && end == i + 1)
			return false;
		i = end;
	} else if (!whole) {
		return false;
	}
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		from = i + 1;
		from += from < s.n && (s.p[from] == '-' || s.p[from] == '+');
		i = skip_digits(s, from, DEC);
		return i > from && i == s.n;
	}
	return i == s.n;
}

/* Whole numbers with a prefix: 0x, 0o, 0b, 0. */
static const struct value *prefixed_number(struct arena *a, struct str s)
{
	bool negative = s.n && s.p[0] == '-';
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	char *end, *digits = arena_strndup(a, s.p + i, s.n - i);
	int base = 10;
	uint64_t n;

	if (digits[0] == '0' && digits[1]) {
		char b = digits[1] | 32;

		base = b == 'x' ? 16 : b == 'o' ? 8 : b == 'b' ? 2 : 8;
		digits += strchr("xob", b) ? 2 : 1;
	}
	errno = 0;
	n = strtoull(digits, &end, base);
	if (*digits == '-' || *digits == '+' || *digits == ' ' || !*digits ||
	    *end || errno || (negative && n > (uint64_t)1 << 63) ||
	    end != digits + strlen(digits))
		return NULL;
	digits = arena_printf(a, "%s%llu", negative ? "-" : "",
			      (unsigned long long)n);
	return value_number_parse(a, str_c(digits));
}

static const struct value *number_value(struct arena *a, struct str s)
{
	char *plain = arena_alloc(a, s.n + 1);
	const struct value *v;
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '_')
			plain[n++] = s.p[i];
	}
	s = (struct str){ plain, n };
	v = value_number_parse(a, s);
	return v ? v : prefixed_number(a, s);
}

static const struct value *time_value(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;
	struct timestamp t;

	if (!(skip_digits(s, 0, DEC) == 4 && s.n > 4 && s.p[4] == '-') ||
	    timestamp_parse(a, s, TIME_YAML, &t))
		return NULL;
	timestamp_format(&b, &t);
	return buf_value(a, &b);
}

static const struct value *unparsable(struct arena *a, struct str s,
				      struct str tag, const char **wrong)
{
	*wrong = arena_printf(a, "cannot parse %.*s as %.*s",
			      STR_ARG(func_quote(a, s)), STR_ARG(tag));
	return NULL;
}

static const struct value *binary_value(struct arena *a, struct str s,
					struct str tag, const char **wrong)
{
	struct buf b = BUF_INIT;
	size_t bad;
	int rc = encoding_base64_read(&b, s, &bad);

	buf_release(&b);
	return rc ? unparsable(a, s, tag, wrong) : value_string(a, s);
}

static const struct value *tagged_value(struct arena *a, struct str s,
					struct str tag, const char **wrong)
{
	const struct value *v = NULL;
	enum word_kind kind;

	if (tag.n == 0 || str_is(tag, TAG "str"))
		return value_string(a, s);
	if (str_is(tag, TAG "binary"))
		return binary_value(a, s, tag, wrong);
	if (str_is(tag, TAG "null"))
		return &value_null_dynamic;
	if (str_is(tag, TAG "bool")) {
		kind = word(s);
		if (kind == WORD_TRUE || kind == WORD_FALSE)
			v = word_value(a, kind);
	} else if (str_is(tag, TAG "timestamp")) {
		v = time_value(a, s);
	} else {
		v = number_value(a, s);
	}
	return v ? v : unparsable(a, s, tag, wrong);
}

static bool known_tag(struct str tag)
{
	static const char *const tags[] = {
		TAG "str",  TAG "bool",      TAG "int",    TAG "float",
		TAG "null", TAG "timestamp", TAG "binary",
	};

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		if (str_is(tag, tags[i]))
			return true;
	}
	return tag.n == 0;
}

/* A scalar that by its first character may be more than a string. */
static const struct value *plain_value(struct arena *a, struct str s,
				       struct str *tag, const char **wrong)
{
	enum word_kind kind = word(s);
	const struct value *v = NULL;
	bool numeric = s.n && strchr(DEC "+-", s.p[0]) && s.p[0];

	if (kind != NO_WORD)
		return word_value(a, kind);
	if (tag->n == 0 &&
	    (str_is(s, ".nan") || str_is(s, ".NaN") || str_is(s, ".NAN"))) {
		*wrong = "floating point NaN is not supported";
		return NULL;
	}
	if (s.n && s.p[0] == '.')
		return value_number_parse(a, s);
	if (!numeric)
		return NULL;
	if (tag->n == 0 || str_is(*tag, TAG "timestamp"))
		v = time_value(a, s);
	if (!v && (looks_whole(s) || looks_real(s)))
		*tag = STR(TAG "float");
	return v;
}

const struct value *yaml_scalar(struct arena *a, struct str s, struct str tag,
				bool quoted, const char **wrong)
{
	const struct value *v;

	*wrong = NULL;
	if (!known_tag(tag)) {
		*wrong = arena_printf(a, "unsupported tag %.*s",
				      STR_ARG(func_quote(a, tag)));
		return NULL;
	}
	if (!str_is(tag, TAG "str") && !str_is(tag, TAG "binary") &&
	    (s.n == 0 || (strchr(DEC "+-.yYnNtTfFoO~", s.p[0]) && s.p[0]))) {
		if (quoted)
			return value_string(a, s);
		v = plain_value(a, s, &tag, wrong);
		if (v || *wrong)
			return v;
	}
	return tagged_value(a, s, tag, wrong);
}
