/*
 * regex_parse.c - from RE2's patterns to PCRE2's; see regex_int.h
 *
 *	alternation = concatenation { "|" concatenation }
 *	concatenation = { item [ repetition [ "?" ] ] }
 *	item = char | "." | "^" | "$" | class | escape | group | flags
 *	repetition = "*" | "+" | "?" | "{" n [ "," [ m ] ] "}"
 *	group = "(" [ "?P<" name ">" | "?<" name ">" | "?" flags ":" ]
 *	        alternation ")"
 *
 * In what is written, ordinary characters that are not letters or digits are
 * escaped by number: a parenthesis is always a group, and "()" a helper.
 */
#include <ctype.h>

#include "funcs/regex/regex_int.h"

enum { DEPTH_MAX = 1000, TEXT_MAX = 1 << 20 };

int regex_fail(struct re_parser *p, const char *what, struct str where)
{
	if (!p->err->what)
		*p->err = (struct re_error){ what, where };
	return -1;
}

static void put(struct re_parser *p, const char *s)
{
	buf_puts(&p->text->out, s);
}

/* --- items --- */

static void put_char(struct re_parser *p, ucs4_t ch)
{
	bool letter = ch < 0x80 && isalpha((int)ch);
	bool fold = re_folds(p) && (letter || ch >= 0x80);

	if (ch >= 0xd800 && ch < 0xe000)
		put(p, "[^\\x{0}-\\x{10ffff}]"); /* a surrogate: in no text */
	else if (letter || (ch < 0x80 && isdigit((int)ch)))
		buf_addf(&p->text->out, fold ? "(?i:%c)" : "%c", (int)ch);
	else
		buf_addf(&p->text->out, fold ? "(?i:\\x{%x})" : "\\x{%x}", ch);
}

static void begin_item(struct re_parser *p, struct re_item *item)
{
	*item = (struct re_item){ .start = p->text->out.len, .weight = 1 };
}

/* \Q...\E; a repetition after it concerns only the last character. */
static void quoted_text(struct re_parser *p, struct re_item *item)
{
	ptrdiff_t end = str_find(p->s, STR("\\E"));
	size_t n = end < 0 ? p->s.n : (size_t)end, i = 2;
	ucs4_t ch;

	while (i < n) {
		i += regex_char(str_sub(p->s, i, n), &ch);
		begin_item(p, item);
		put_char(p, ch);
	}
	re_skip(p, end < 0 ? n : n + 2);
}

static int parse_escape(struct re_parser *p, struct re_item *item)
{
	char letter = re_peek(p, 1);
	ucs4_t ch;
	size_t n;
	int rc;

	if (letter && strchr("AzbB", letter)) {
		buf_addf(&p->text->out, "(?:\\%c)", letter);
		item->nullable = true;
		re_skip(p, 2);
		return 0;
	}
	rc = regex_unicode_class(p);
	if (rc == 0)
		rc = regex_perl_class(p);
	if (rc)
		return rc < 0 ? -1 : 0;
	n = regex_escape(p->s, &ch, p->err);
	if (n == 0)
		return -1;
	re_skip(p, n);
	put_char(p, ch);
	return 0;
}

static int parse_alternation(struct re_parser *p, struct re_item *item);

/* Parses the content of a group and the closing parenthesis. */
static int group_content(struct re_parser *p, struct re_item *item)
{
	if (p->depth == DEPTH_MAX)
		return regex_fail(p, "expression nests too deeply", p->whole);
	p->depth++;
	if (parse_alternation(p, item))
		return -1;
	p->depth--;
	if (re_peek(p, 0) != ')')
		return regex_fail(p, "missing closing )", p->whole);
	re_skip(p, 1);
	return 0;
}

static int parse_capture(struct re_parser *p, struct str name,
			 struct re_item *item)
{
	vec_push(p->a, &p->text->names, name);
	put(p, "((?:");
	if (group_content(p, item))
		return -1;
	put(p, "))");
	return 0;
}

/* (?P<name>...) or (?<name>...), whose name begins at `from`. */
static int named_group(struct re_parser *p, size_t from, struct re_item *item)
{
	ptrdiff_t end = str_chr(p->s, '>');
	struct str name;
	bool valid;

	if (end < 0)
		return regex_fail(p, "invalid named capture", p->s);
	name = str_sub(p->s, from, (size_t)end);
	valid = name.n > 0;
	for (size_t i = 0; i < name.n; i++) {
		unsigned char ch = (unsigned char)name.p[i];

		valid = valid && (ch == '_' || (ch < 0x80 && isalnum(ch)));
	}
	if (!valid)
		return regex_fail(p, "invalid named capture",
				  str_sub(p->s, 0, (size_t)end + 1));
	re_skip(p, (size_t)end + 1);
	return parse_capture(p, name, item);
}

/* (?flags) and (?flags: ; returns how it ended, ':' or ')', or 0. */
static char read_flags(struct re_parser *p, unsigned *flags)
{
	static const char letters[] = "imsU";
	struct str start = p->s;
	bool off = false, any = false;
	ucs4_t ch = 0;

	*flags = p->flags;
	re_skip(p, 2);
	while (p->s.n) {
		const char *known;

		re_skip(p, regex_char(p->s, &ch));
		known = ch && ch < 0x80 ? strchr(letters, (int)ch) : NULL;
		if (known) {
			unsigned bit = 1u << (known - letters);

			*flags = off ? *flags & ~bit : *flags | bit;
			any = true;
		} else if (ch == '-' && !off) {
			off = true;
			any = false;
		} else if ((ch == ':' || ch == ')') && (any || !off)) {
			return (char)ch;
		} else {
			break;
		}
	}
	regex_fail(p, "invalid or unsupported Perl syntax",
		   str_sub(start, 0, start.n - p->s.n));
	return 0;
}

/* 1: an item; 0: mere flags, which p->flags now has; -1. */
static int parse_group(struct re_parser *p, struct re_item *item)
{
	unsigned before = p->flags, flags;
	int rc;

	if (re_peek(p, 1) != '?') {
		re_skip(p, 1);
		rc = parse_capture(p, STR(""), item);
	} else if (p->s.n > 4 && str_starts(p->s, "(?P<")) {
		rc = named_group(p, 4, item);
	} else if (p->s.n > 3 && str_starts(p->s, "(?<")) {
		rc = named_group(p, 3, item);
	} else {
		char end = read_flags(p, &flags);

		p->flags = flags;
		if (end != ':')
			return end ? 0 : -1;
		put(p, "(?:");
		rc = group_content(p, item);
		put(p, ")");
	}
	p->flags = before;
	return rc ? -1 : 1;
}

/* --- sequences --- */

static int parse_anchor(struct re_parser *p, struct re_item *item)
{
	bool lines = p->flags & MULTI_LINE, start = p->s.p[0] == '^';

	if (lines)
		put(p, start ? "(?m:^)" : "(?m:$)");
	else
		put(p, start ? "(?:\\A)" : "(?:\\z)");
	item->nullable = true;
	re_skip(p, 1);
	return 0;
}

/* One item.  1: written; 0: it is none that a repetition could follow, or the
 * one before goes on; -1. */
static int parse_item(struct re_parser *p, struct re_item *item)
{
	ucs4_t ch;

	begin_item(p, item);
	switch (p->s.p[0]) {
	case '(':
		return parse_group(p, item);
	case '[':
		return regex_bracket(p);
	case '.':
		put(p, p->flags & DOT_NL ? "(?s:.)" : "\\N");
		re_skip(p, 1);
		return 1;
	case '^':
	case '$':
		return parse_anchor(p, item) ? -1 : 1;
	case '\\':
		if (re_peek(p, 1) == 'Q') {
			quoted_text(p, item);
			return p->text->out.len > item->start;
		}
		return parse_escape(p, item) ? -1 : 1;
	default:
		re_skip(p, regex_char(p->s, &ch));
		put_char(p, ch);
		return 1;
	}
}

/* all gets the properties of the whole. */
static int parse_concatenation(struct re_parser *p, struct re_item *all)
{
	struct re_item item, last_item;
	struct str last = STR_NONE;
	bool any = false, nullable = true;

	while (p->s.n && p->s.p[0] != '|' && p->s.p[0] != ')') {
		int rc = regex_repetition(p, any ? &last_item : NULL, &last);

		if (rc < 0)
			return -1;
		if (rc) {
			if (last_item.weight > all->weight)
				all->weight = last_item.weight;
			continue;
		}
		if (any)
			nullable &= last_item.nullable;
		last = STR_NONE;
		rc = parse_item(p, &item);
		if (rc < 0)
			return -1;
		if (p->text->out.len > TEXT_MAX)
			return regex_fail(p, "expression too large", p->whole);
		if (rc) {
			last_item = item;
			any = true;
			if (item.weight > all->weight)
				all->weight = item.weight;
		}
	}
	all->nullable |= nullable && (!any || last_item.nullable);
	return 0;
}

/* Fills in nullable and weight of *item. */
static int parse_alternation(struct re_parser *p, struct re_item *item)
{
	struct re_item all = *item;

	all.nullable = false;
	for (;;) {
		if (parse_concatenation(p, &all))
			return -1;
		if (re_peek(p, 0) != '|')
			break;
		put(p, "|");
		re_skip(p, 1);
	}
	*item = all;
	return 0;
}

/* Numbers the groups: gives each callout the first of its two helpers, and
 * notes which groups are the captures. */
static void number_groups(struct re_parser *p)
{
	struct buf in = p->text->out, out = BUF_INIT;
	VEC(unsigned) open = { 0 };
	unsigned groups = 0;

	for (size_t i = 0; i < in.len;) {
		const char *s = in.p + i;

		if (strncmp(s, "(?C)", 4) == 0) {
			buf_addf(&out, "(?C{%u})", open.items[--open.len]);
			i += 4;
			continue;
		}
		if (strncmp(s, "()(?:()", 7) == 0) {
			vec_push(p->a, &open, groups + 1);
			groups += 2;
			buf_add(&out, s, 7);
			i += 7;
			continue;
		}
		if (s[0] == '(' && s[1] != '?') {
			groups++;
			vec_push(p->a, &p->text->groups, groups);
		}
		buf_putc(&out, *s);
		i++;
	}
	buf_release(&in);
	p->text->out = out;
}

int regex_translate(struct arena *a, struct str pattern, struct re_text *out,
		    struct re_error *err)
{
	struct re_parser p = {
		.a = a, .whole = pattern, .s = pattern, .text = out, .err = err
	};
	struct re_item all = { .weight = 1 };

	*err = (struct re_error){ NULL, STR_NONE };
	*out = (struct re_text){ .out = BUF_INIT };
	if (parse_alternation(&p, &all))
		return -1;
	if (p.s.n)
		return regex_fail(&p, "unexpected )", pattern);
	number_groups(&p);
	return 0;
}
