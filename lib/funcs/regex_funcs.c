/*
 * regex_funcs.c - regex, regexall, replace
 */
#include <unictype.h>
#include <unistr.h>

#include "funcs/funcs_int.h"
#include "funcs/regex/regex.h"
#include "lang/eval/func.h"

#define TOO_LONG "matching the pattern takes too long"

/* The type of one match: the text, or its captures as a tuple or object.
 * NULL with the call failed. */
static const struct type *match_type(struct func_call *c,
				     const struct regex *re)
{
	size_t n = re->names.len, named = 0;
	struct type_attr *attrs = ARENA_ARRAY(c->arena, struct type_attr, n);
	const struct type **types = arena_alloc(c->arena, n * sizeof(*types));

	if (n == 0)
		return &type_string;
	for (size_t i = 0; i < n; i++) {
		attrs[i].name = re->names.items[i];
		attrs[i].type = types[i] = &type_string;
		named += attrs[i].name.n > 0;
	}
	if (named && named < n)
		return func_fail_type(c, 0,
				      "invalid regexp pattern: cannot "
				      "mix both named and unnamed capture "
				      "groups");
	return named ? type_object(attrs, n) : type_tuple(types, n);
}

static struct regex *compile_arg(struct func_call *c)
{
	struct re_error err;
	struct regex *re = regex_compile(c->arena, arg_str(c, 0), &err);

	if (!re)
		func_fail(c, 0, "invalid regexp pattern: %s in %.*s", err.what,
			  STR_ARG(err.where));
	return re;
}

static const struct type *regex_type(struct func_call *c)
{
	const struct type *t;
	struct regex *re;

	if (!value_is_known(c->args[0]))
		return &type_dynamic;
	re = compile_arg(c);
	t = re ? match_type(c, re) : NULL;
	regex_free(re);
	return t;
}

static const struct type *regexall_type(struct func_call *c)
{
	const struct type *t = regex_type(c);

	return t ? type_list(t) : NULL;
}

static const struct value *slot_value(struct arena *a, struct str text,
				      const size_t *slots)
{
	if (slots[0] == SIZE_MAX || slots[1] == SIZE_MAX)
		return value_null(a, &type_string);
	return value_string(a, str_sub(text, slots[0], slots[1]));
}

/* A match as a value of type t. Of equal names the last capture counts. */
static const struct value *match_value(struct func_call *c,
				       const struct regex *re,
				       const struct type *t, struct str text,
				       const size_t *slots)
{
	size_t n = re->names.len;
	const struct value **items = arena_alloc(c->arena, n * sizeof(*items));

	if (n == 0)
		return slot_value(c->arena, text, slots);
	for (size_t i = 0; i < n; i++)
		items[i] = slot_value(c->arena, text, slots + 2 * (i + 1));
	if (t->kind == TYPE_TUPLE)
		return value_tuple(c->arena, items, n);
	return value_object(c->arena, re->names.items, items, n);
}

static const struct value *first_match(struct func_call *c, struct regex *re)
{
	const struct type *t = match_type(c, re);
	size_t *slots;

	if (!t)
		return NULL;
	slots = arena_alloc(c->arena, re->nslots * sizeof(*slots));
	switch (regex_match(re, arg_str(c, 1), 0, slots)) {
	case RE_MATCH:
		return match_value(c, re, t, arg_str(c, 1), slots);
	case RE_TOO_LONG:
		return func_fail(c, -1, TOO_LONG);
	default:
		return func_fail(
			c, -1,
			"pattern did not match any part of the given string");
	}
}

static const struct value *do_regex(struct func_call *c)
{
	struct regex *re = compile_arg(c);
	const struct value *v = re ? first_match(c, re) : NULL;

	regex_free(re);
	return v;
}

const struct func func_regex = {
	.name = "regex",
	.description = "What a regular expression matches in a string: the "
		       "text, or its captures as a tuple or, if they are "
		       "named, as an object.",
	.params = PARAMS({ "pattern", &type_string, 0, NULL },
			 { "string", &type_string, 0, NULL }),
	.result_type = regex_type,
	.impl = do_regex,
};

/* Goes through all matches.  Two empty ones are never adjacent, nor does an
 * empty one directly follow another. */
struct matches {
	struct regex *re;
	struct str text;
	size_t pos, last_end; /* SIZE_MAX: none yet */
	size_t *slots;
};

static enum re_result next_match(struct matches *m)
{
	while (m->pos <= m->text.n) {
		enum re_result rc =
			regex_match(m->re, m->text, m->pos, m->slots);
		bool accept = true;
		ucs4_t ch;

		if (rc != RE_MATCH)
			return rc;
		if (m->slots[1] == m->pos) { /* empty, right here */
			accept = m->slots[0] != m->last_end;
			if (m->pos < m->text.n)
				m->pos += regex_char(str_sub(m->text, m->pos,
							     m->text.n),
						     &ch);
			else
				m->pos++;
		} else {
			m->pos = m->slots[1];
		}
		m->last_end = m->slots[1];
		if (accept)
			return RE_MATCH;
	}
	return RE_NO_MATCH;
}

static const struct value *all_matches(struct func_call *c, struct regex *re)
{
	const struct type *t = match_type(c, re);
	struct matches m = { .re = re,
			     .text = arg_str(c, 1),
			     .last_end = SIZE_MAX };
	struct value_vec items = { 0 };
	enum re_result rc;

	if (!t)
		return NULL;
	m.slots = arena_alloc(c->arena, re->nslots * sizeof(*m.slots));
	while ((rc = next_match(&m)) == RE_MATCH)
		vec_push(c->arena, &items,
			 match_value(c, re, t, m.text, m.slots));
	if (rc == RE_TOO_LONG)
		return func_fail(c, -1, TOO_LONG);
	return value_list(c->arena, t, items.items, items.len);
}

static const struct value *do_regexall(struct func_call *c)
{
	struct regex *re = compile_arg(c);
	const struct value *v = re ? all_matches(c, re) : NULL;

	regex_free(re);
	return v;
}

const struct func func_regexall = {
	.name = "regexall",
	.description =
		"A list of everything that a regular expression matches in a string.",
	.params = PARAMS({ "pattern", &type_string, 0, NULL },
			 { "string", &type_string, 0, NULL }),
	.result_type = regexall_type,
	.impl = do_regexall,
};

/* --- replace --- */

/* name or {name} at the start of s, behind a dollar sign: its length and the
 * name, or 0. */
static size_t reference(struct str s, struct str *name)
{
	bool brace = s.n && s.p[0] == '{';
	size_t i = brace, start = brace;

	while (i < s.n) {
		ucs4_t ch;
		size_t n = regex_char(str_sub(s, i, s.n), &ch);

		if (ch != '_' && !uc_is_general_category(ch, UC_CATEGORY_L) &&
		    !uc_is_general_category(ch, UC_CATEGORY_Nd))
			break;
		i += n;
	}
	*name = str_sub(s, start, i);
	if (i == start || (brace && (i >= s.n || s.p[i] != '}')))
		return 0;
	return i + brace;
}

/* The number that a name is; -1 if it is none. */
static long reference_number(struct str name)
{
	long n = 0;

	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] < '0' || name.p[i] > '9' || n >= 100000000)
			return -1;
		n = n * 10 + (name.p[i] - '0');
	}
	/* 01 is a name */
	return name.n > 1 && name.p[0] == '0' ? -1 : n;
}

static void add_slot(struct buf *b, const struct matches *m, size_t i)
{
	if (i < m->re->nslots && m->slots[i] != SIZE_MAX)
		buf_str(b, str_sub(m->text, m->slots[i], m->slots[i + 1]));
}

static void add_capture(struct buf *b, const struct matches *m, struct str name)
{
	long n = reference_number(name);

	if (n >= 0)
		add_slot(b, m, 2 * (size_t)n);
	for (size_t i = 0; n < 0 && i < m->re->names.len; i++) {
		if (!str_eq(m->re->names.items[i], name) ||
		    m->slots[2 * i + 2] == SIZE_MAX)
			continue;
		add_slot(b, m, 2 * i + 2);
		return;
	}
}

/* The replacement with $1, ${name} and $$ filled in. */
static void expand(struct buf *b, const struct matches *m, struct str with)
{
	while (with.n) {
		ptrdiff_t dollar = str_chr(with, '$');
		struct str name;
		size_t n;

		if (dollar < 0) {
			buf_str(b, with);
			return;
		}
		buf_add(b, with.p, (size_t)dollar);
		with = str_sub(with, (size_t)dollar + 1, with.n);
		if (with.n && with.p[0] == '$') {
			buf_putc(b, '$');
			with = str_sub(with, 1, with.n);
			continue;
		}
		n = reference(with, &name);
		if (n == 0)
			buf_putc(b, '$');
		else
			add_capture(b, m, name);
		with = str_sub(with, n, with.n);
	}
}

static const struct value *replace_regex(struct func_call *c,
					 struct str pattern)
{
	struct re_error err;
	struct regex *re = regex_compile(c->arena, pattern, &err);
	struct matches m = { .re = re, .text = arg_str(c, 0) };
	struct buf b = BUF_INIT;
	size_t end = 0, pos = 0;
	enum re_result rc = RE_NO_MATCH;
	ucs4_t ch;

	if (!re)
		return func_fail(c, -1, "error parsing regexp: %s: `%.*s`",
				 err.what, STR_ARG(err.where));
	m.slots = arena_alloc(c->arena, re->nslots * sizeof(*m.slots));
	while (pos <= m.text.n &&
	       (rc = regex_match(re, m.text, pos, m.slots)) == RE_MATCH) {
		size_t width = 1;

		buf_str(&b, str_sub(m.text, end, m.slots[0]));
		/* not for nothing right after another match */
		if (m.slots[1] > end || m.slots[0] == 0)
			expand(&b, &m, arg_str(c, 2));
		end = m.slots[1];
		if (pos < m.text.n)
			width = regex_char(str_sub(m.text, pos, m.text.n), &ch);
		pos = pos + width > end ? pos + width : end;
	}
	regex_free(re);
	if (rc == RE_TOO_LONG) {
		buf_release(&b);
		return func_fail(c, -1, TOO_LONG);
	}
	buf_str(&b, str_sub(m.text, end, m.text.n));
	return buf_value(c->arena, &b);
}

/* Nothing is found before each character and at the end. */
static const struct value *replace_nothing(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	struct buf b = BUF_INIT;
	ucs4_t ch;

	for (size_t i = 0; i < s.n;) {
		size_t n = regex_char(str_sub(s, i, s.n), &ch);

		buf_str(&b, arg_str(c, 2));
		buf_add(&b, s.p + i, n);
		i += n;
	}
	buf_str(&b, arg_str(c, 2));
	return buf_value(c->arena, &b);
}

static const struct value *do_replace(struct func_call *c)
{
	struct str s = arg_str(c, 0), what = arg_str(c, 1);
	struct buf b = BUF_INIT;
	ptrdiff_t at;

	if (what.n > 1 && what.p[0] == '/' && what.p[what.n - 1] == '/')
		return replace_regex(c, str_sub(what, 1, what.n - 1));
	if (what.n == 0)
		return replace_nothing(c);
	while ((at = str_find(s, what)) >= 0) {
		buf_add(&b, s.p, (size_t)at);
		buf_str(&b, arg_str(c, 2));
		s = str_sub(s, (size_t)at + what.n, s.n);
	}
	buf_str(&b, s);
	return buf_value(c->arena, &b);
}

const struct func func_replace = {
	.name = "replace",
	.description = "The string with all occurrences of a substring, or "
		       "of what a /regular expression/ matches, replaced.",
	.params = PARAMS({ "str", &type_string, 0, NULL },
			 { "substr", &type_string, 0, NULL },
			 { "replace", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_replace,
};
