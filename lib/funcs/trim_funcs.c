/*
 * trim_funcs.c - trim, trimprefix, trimspace, trimsuffix, startswith, endswith
 */
#include <unictype.h>
#include <unistr.h>

#include "funcs/funcs_int.h"

static bool ends_with(struct str s, struct str suffix)
{
	return s.n >= suffix.n &&
	       str_eq(str_sub(s, s.n - suffix.n, s.n), suffix);
}

static bool starts_with(struct str s, struct str prefix)
{
	return s.n >= prefix.n && str_eq(str_sub(s, 0, prefix.n), prefix);
}

static const struct value *do_endswith(struct func_call *c)
{
	return value_bool(ends_with(arg_str(c, 0), arg_str(c, 1)));
}

const struct func func_endswith = {
	.name = "endswith",
	.description = "Does the string end with exactly that suffix?",
	.params = PARAMS({ "str", &type_string, 0, NULL },
			 { "suffix", &type_string, 0, NULL }),
	.result = &type_bool,
	.impl = do_endswith,
};

/* An unknown string may have a known prefix that decides. */
static const struct value *do_startswith(struct func_call *c)
{
	const struct value *v = c->args[0];
	struct str prefix = arg_str(c, 1), known = STR_NONE;

	if (v->state == VALUE_KNOWN)
		return value_bool(starts_with(v->string, prefix));
	if (v->refined)
		known = v->refined->prefix;
	if (starts_with(known, prefix))
		return &value_true;
	if (known.n >= prefix.n && known.n > 0)
		return &value_false;
	return func_unknown(c, &type_bool);
}

const struct func func_startswith = {
	.name = "startswith",
	.description = "Does the string begin with exactly that prefix?",
	.params = PARAMS({ "str", &type_string, PARAM_UNKNOWN, NULL },
			 { "prefix", &type_string, 0, NULL }),
	.result = &type_bool,
	.impl = do_startswith,
};

/* The length of the character at the start, or (end) at the end of s. */
static size_t char_at(struct str s, bool end, ucs4_t *ch)
{
	size_t n = 1;

	if (!end)
		return (size_t)u8_mbtouc(ch, (const uint8_t *)s.p, s.n);
	while (n < s.n && n < 4 && (s.p[s.n - n] & 0xc0) == 0x80)
		n++;
	return (size_t)u8_mbtouc(ch, (const uint8_t *)s.p + s.n - n, n) == n
		       ? n
		       : 1;
}

/* Cuts characters off both ends while unwanted() says so. */
static struct str trim_chars(struct str s,
			     bool (*unwanted)(ucs4_t ch, struct str set),
			     struct str set)
{
	ucs4_t ch;
	size_t n;

	while (s.n) {
		n = char_at(s, false, &ch);
		if (!unwanted(ch, set))
			break;
		s = str_sub(s, n, s.n);
	}
	while (s.n) {
		n = char_at(s, true, &ch);
		if (!unwanted(ch, set))
			break;
		s.n -= n;
	}
	return s;
}

static bool in_set(ucs4_t ch, struct str set)
{
	for (size_t i = 0; i < set.n;) {
		ucs4_t member;

		i += (size_t)u8_mbtouc(&member, (const uint8_t *)set.p + i,
				       set.n - i);
		if (member == ch)
			return true;
	}
	return false;
}

static bool is_space(ucs4_t ch, struct str unused)
{
	(void)unused;
	return uc_is_property_white_space(ch);
}

static const struct value *do_trim(struct func_call *c)
{
	return value_string(c->arena,
			    trim_chars(arg_str(c, 0), in_set, arg_str(c, 1)));
}

const struct func func_trim = {
	.name = "trim",
	.description =
		"The string without any of the given characters at its start and end.",
	.params = PARAMS({ "str", &type_string, 0, NULL },
			 { "cutset", &type_string, 0,
			   "The characters to cut off, in any order." }),
	.result = &type_string,
	.impl = do_trim,
};

static const struct value *do_trimspace(struct func_call *c)
{
	return value_string(c->arena,
			    trim_chars(arg_str(c, 0), is_space, STR_NONE));
}

const struct func func_trimspace = {
	.name = "trimspace",
	.description = "The string without white space at its start and end.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_trimspace,
};

static const struct value *do_trimprefix(struct func_call *c)
{
	struct str s = arg_str(c, 0), prefix = arg_str(c, 1);

	if (starts_with(s, prefix))
		s = str_sub(s, prefix.n, s.n);
	return value_string(c->arena, s);
}

const struct func func_trimprefix = {
	.name = "trimprefix",
	.description = "The string without that prefix, if it begins with it.",
	.params = PARAMS({ "str", &type_string, 0, NULL },
			 { "prefix", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_trimprefix,
};

static const struct value *do_trimsuffix(struct func_call *c)
{
	struct str s = arg_str(c, 0), suffix = arg_str(c, 1);

	if (ends_with(s, suffix))
		s.n -= suffix.n;
	return value_string(c->arena, s);
}

const struct func func_trimsuffix = {
	.name = "trimsuffix",
	.description = "The string without that suffix, if it ends with it.",
	.params = PARAMS({ "str", &type_string, 0, NULL },
			 { "suffix", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_trimsuffix,
};
