/*
 * string_funcs.c - chomp, indent, join, lower, sort, split, strcontains,
 * strrev, substr, title, upper
 *
 * Characters are grapheme clusters in strrev and substr; letters and case are
 * Unicode's simple mappings.
 */
#include <stdlib.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>

#include "base/str.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/number.h"
#include "value/refine.h"

static const struct value *string_of(struct func_call *c, struct str s)
{
	return value_string(c->arena, s);
}

static const struct value *do_chomp(struct func_call *c)
{
	struct str s = arg_str(c, 0);

	while (s.n && (s.p[s.n - 1] == '\n' || s.p[s.n - 1] == '\r'))
		s.n--;
	return string_of(c, s);
}

const struct func func_chomp = {
	.name = "chomp",
	.description = "The string without the line breaks at its end.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_chomp,
};

static const struct value *do_strcontains(struct func_call *c)
{
	return value_bool(str_find(arg_str(c, 0), arg_str(c, 1)) >= 0);
}

const struct func func_strcontains = {
	.name = "strcontains",
	.description = "Does the substring occur in the string?",
	.params = PARAMS({ "str", &type_string, 0, NULL },
			 { "substr", &type_string, 0, NULL }),
	.result = &type_bool,
	.flags = FUNC_NULLABLE, /* OpenTofu refines it not */
	.impl = do_strcontains,
};

static const struct value *do_indent(struct func_call *c)
{
	struct str s = arg_str(c, 1);
	struct buf b = BUF_INIT;
	size_t lines = 0;
	int64_t spaces;

	if (!value_get_int(c->args[0], &spaces))
		return func_fail(c, -1, WHOLE_NUMBER);
	if (spaces < 0)
		return func_fail(c, -1, "the number of spaces is negative");
	for (size_t i = 0; i < s.n; i++)
		lines += s.p[i] == '\n';
	if (lines && (uint64_t)spaces > (1u << 30) / lines)
		return func_fail(c, -1, "the result is too long");
	for (size_t i = 0; i < s.n; i++) {
		buf_putc(&b, s.p[i]);
		for (int64_t j = 0; s.p[i] == '\n' && j < spaces; j++)
			buf_putc(&b, ' ');
	}
	return buf_value(c->arena, &b);
}

const struct func func_indent = {
	.name = "indent",
	.description =
		"The string with that many spaces before each line but the first.",
	.params = PARAMS({ "spaces", &type_number, 0,
			   "How many spaces follow each line break." },
			 { "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_indent,
};

/* Adds the elements of one list; -1 with the call failed. */
static int join_list(struct func_call *c, size_t arg, struct buf *b,
		     bool *first)
{
	const struct value *list = c->args[arg];

	for (uint32_t i = 0; i < list->len; i++) {
		if (value_is_null(list->elems[i])) {
			if (c->nargs > 2)
				func_fail(
					c, (int)arg,
					"element %u of list %zu is null; cannot concatenate null values",
					i, arg);
			else
				func_fail(
					c, (int)arg,
					"element %u is null; cannot concatenate null values",
					i);
			return -1;
		}
		if (!*first)
			buf_str(b, arg_str(c, 0));
		buf_str(b, list->elems[i]->string);
		*first = false;
	}
	return 0;
}

static const struct value *do_join(struct func_call *c)
{
	struct buf b = BUF_INIT;
	bool first = true;

	if (c->nargs < 2)
		return func_fail(c, -1, "at least one list is required");
	for (size_t i = 1; i < c->nargs; i++) {
		if (!value_wholly_known(c->args[i]))
			return func_unknown(c, &type_string);
	}
	for (size_t i = 1; i < c->nargs; i++) {
		if (join_list(c, i, &b, &first)) {
			buf_release(&b);
			return NULL;
		}
	}
	return buf_value(c->arena, &b);
}

const struct func func_join = {
	.name = "join",
	.description = "The elements of one or more lists of strings as one "
		       "string, with the separator between them.",
	.params = PARAMS({ "separator", &type_string, 0,
			   "What stands between the elements." }),
	.variadic = PARAM("lists", &type_list_string, 0,
			  "The lists of strings, joined in this order."),
	.result = &type_string,
	.impl = do_join,
};

/* Applies a mapping to each character. */
static const struct value *map_chars(struct func_call *c, ucs4_t (*map)(ucs4_t))
{
	struct str s = arg_str(c, 0);
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n;) {
		uint8_t enc[6];
		ucs4_t ch;
		int used = u8_mbtouc(&ch, (const uint8_t *)s.p + i, s.n - i);
		int n = u8_uctomb(enc, map(ch), sizeof(enc));

		buf_add(&b, enc, (size_t)n);
		i += (size_t)used;
	}
	return buf_value(c->arena, &b);
}

static const struct value *do_lower(struct func_call *c)
{
	return map_chars(c, uc_tolower);
}

const struct func func_lower = {
	.name = "lower",
	.description = "The string with all letters in lower case.",
	.params = PARAMS({ "str", &type_string, PARAM_DYNAMIC, NULL }),
	.result = &type_string,
	.impl = do_lower,
};

static const struct value *do_upper(struct func_call *c)
{
	return map_chars(c, uc_toupper);
}

const struct func func_upper = {
	.name = "upper",
	.description = "The string with all letters in upper case.",
	.params = PARAMS({ "str", &type_string, PARAM_DYNAMIC, NULL }),
	.result = &type_string,
	.impl = do_upper,
};

/* Does a word begin after this character? */
static bool separates_words(ucs4_t ch)
{
	if (ch < 0x80)
		return !(ch == '_' || uc_is_alnum(ch));
	if (uc_is_general_category(ch, UC_CATEGORY_L) ||
	    uc_is_general_category(ch, UC_CATEGORY_Nd))
		return false;
	return uc_is_property_white_space(ch);
}

static const struct value *do_title(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	struct buf b = BUF_INIT;
	ucs4_t before = ' ';

	for (size_t i = 0; i < s.n;) {
		uint8_t enc[6];
		ucs4_t ch;
		int used = u8_mbtouc(&ch, (const uint8_t *)s.p + i, s.n - i);
		ucs4_t to = separates_words(before) ? uc_totitle(ch) : ch;

		buf_add(&b, enc, (size_t)u8_uctomb(enc, to, sizeof(enc)));
		before = ch;
		i += (size_t)used;
	}
	return buf_value(c->arena, &b);
}

const struct func func_title = {
	.name = "title",
	.description =
		"The string with the first letter of each word in upper case.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_title,
};

static int compare_strings(const void *x, const void *y)
{
	return str_cmp((*(const struct value *const *)x)->string,
		       (*(const struct value *const *)y)->string);
}

/* With unknown elements only the length is certain. */
static const struct value *sorted_unknown(struct func_call *c)
{
	const struct value *v = c->args[0];
	struct refinement r = { .not_null = true, .len_max = UINT64_MAX };

	if (v->state == VALUE_KNOWN) {
		r.len_min = r.len_max = v->len;
	} else if (v->refined) {
		r.len_min = v->refined->len_min;
		r.len_max = v->refined->len_max;
	}
	return value_unknown_refined(c->arena, v->type, &r);
}

static const struct value *do_sort(struct func_call *c)
{
	const struct value *v = c->args[0], **items;

	if (!value_wholly_known(v))
		return sorted_unknown(c);
	for (uint32_t i = 0; i < v->len; i++) {
		if (value_is_null(v->elems[i]))
			return func_fail(
				c, -1,
				"given list element %u is null; a null string cannot be sorted",
				i);
	}
	if (v->len == 0)
		return v;
	items = arena_dup(c->arena, v->elems, v->len * sizeof(*items));
	qsort(items, v->len, sizeof(*items), compare_strings);
	return value_list(c->arena, &type_string, items, v->len);
}

const struct func func_sort = {
	.name = "sort",
	.description = "The strings of a list in ascending order.",
	.params = PARAMS({ "list", &type_list_string, PARAM_UNKNOWN, NULL }),
	.result = &type_list_string,
	.impl = do_sort,
};

/* An empty separator splits between characters (code points). */
static const struct value *do_split(struct func_call *c)
{
	struct str sep = arg_str(c, 0), s = arg_str(c, 1);
	struct value_vec items = { 0 };
	ptrdiff_t at;

	while (sep.n == 0 && s.n) {
		size_t n = utf8_len(s.p, s.n);

		n = n ? n : 1;
		vec_push(c->arena, &items, string_of(c, str_sub(s, 0, n)));
		s = str_sub(s, n, s.n);
	}
	while (sep.n && (at = str_find(s, sep)) >= 0) {
		vec_push(c->arena, &items,
			 string_of(c, str_sub(s, 0, (size_t)at)));
		s = str_sub(s, (size_t)at + sep.n, s.n);
	}
	if (sep.n)
		vec_push(c->arena, &items, string_of(c, s));
	return value_list(c->arena, &type_string, items.items, items.len);
}

const struct func func_split = {
	.name = "split",
	.description =
		"The parts of a string between the occurrences of a separator.",
	.params = PARAMS({ "separator", &type_string, 0, NULL },
			 { "str", &type_string, 0, NULL }),
	.result = &type_list_string,
	.impl = do_split,
};

static const struct value *do_strrev(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	char *out = arena_alloc(c->arena, s.n + 1);
	size_t pos = s.n;

	for (size_t i = 0; i < s.n;) {
		size_t n = grapheme_len(str_sub(s, i, s.n));

		pos -= n;
		memcpy(out + pos, s.p + i, n);
		i += n;
	}
	return string_of(c, (struct str){ out, s.n });
}

const struct func func_strrev = {
	.name = "strrev",
	.description = "The characters of a string in reverse order.",
	.params = PARAMS({ "str", &type_string, PARAM_DYNAMIC, NULL }),
	.result = &type_string,
	.impl = do_strrev,
};

/* Skips n characters; *done is how many there were. */
static struct str skip_chars(struct str s, int64_t n, int64_t *done)
{
	for (*done = 0; s.n && *done < n; ++*done)
		s = str_sub(s, grapheme_len(s), s.n);
	return s;
}

/* A negative offset counts from the end (and stays harmless beyond the
 * start); a negative length takes all; a length of 0 is nothing, except, as
 * in OpenTofu, with a negative offset, where it takes all. */
static const struct value *do_substr(struct func_call *c)
{
	struct str s = arg_str(c, 0), rest;
	int64_t offset, length, done;

	if (!value_get_int(c->args[1], &offset) ||
	    !value_get_int(c->args[2], &length))
		return func_fail(c, -1, WHOLE_NUMBER);
	if (offset < 0) {
		skip_chars(s, INT64_MAX, &done);
		offset += done;
	} else if (length == 0) {
		return &value_empty_string;
	}
	s = skip_chars(s, offset, &done);
	if (length > 0) {
		rest = skip_chars(s, length, &done);
		s.n -= rest.n;
	}
	return string_of(c, s);
}

const struct func func_substr = {
	.name = "substr",
	.description = "The part of a string from an offset on, of at most "
		       "the given length; both in characters.",
	.params = PARAMS({ "str", &type_string, PARAM_DYNAMIC, NULL },
			 { "offset", &type_number, PARAM_DYNAMIC, NULL },
			 { "length", &type_number, PARAM_DYNAMIC, NULL }),
	.result = &type_string,
	.impl = do_substr,
};
