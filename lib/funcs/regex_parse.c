/*
 * regex_parse.c - from patterns to syntax trees; see regex_int.h
 *
 *	alternation = concatenation { "|" concatenation }
 *	concatenation = { item [ repetition [ "?" ] ] }
 *	item = char | "." | "^" | "$" | class | escape | group | flags
 *	repetition = "*" | "+" | "?" | "{" n [ "," [ m ] ] "}"
 *	group = "(" [ "?P<" name ">" | "?<" name ">" | "?" flags ":" ]
 *	        alternation ")"
 */
#include <ctype.h>

#include "funcs/regex_parse_int.h"

enum { DEPTH_MAX = 1000 };

void *re_fail(struct re_parser *p, const char *what, struct str where)
{
	if (!p->err->what)
		*p->err = (struct re_error){ what, where };
	return NULL;
}

struct re *re_node(struct re_parser *p, enum re_kind kind)
{
	struct re *re = ARENA_NEW(p->a, struct re);

	re->kind = kind;
	return re;
}

static const struct re *assert_node(struct re_parser *p, enum assertion what)
{
	struct re *re = re_node(p, RE_ASSERT);

	re->assertion = what;
	return re;
}

const struct re *re_set_node(struct re_parser *p, const struct char_set *set)
{
	struct re *re = re_node(p, RE_SET);

	re->set = set;
	return re;
}

static const struct re *range_node(struct re_parser *p, ucs4_t lo, ucs4_t hi,
				   bool fold)
{
	struct char_set *set = ARENA_NEW(p->a, struct char_set);

	set_add_range(p->a, set, lo, hi, fold);
	return re_set_node(p, set);
}

/* --- items --- */

static const struct re *concat_node(struct re_parser *p,
				    const struct re_vec *items)
{
	struct re *re;

	if (items->len == 1)
		return items->items[0];
	re = re_node(p, items->len ? RE_CONCAT : RE_EMPTY);
	re->sub = items->items;
	re->nsub = items->len;
	return re;
}

/* \Q...\E: a concatenation of plain characters, the last one apart, because a
 * repetition after it concerns only that. */
static void quoted_text(struct re_parser *p, struct re_vec *items)
{
	ptrdiff_t end = str_find(p->s, STR("\\E"));
	size_t n = end < 0 ? p->s.n : (size_t)end, i = 2;
	ucs4_t ch;

	while (i < n) {
		i += re_char(str_sub(p->s, i, n), &ch);
		vec_push(p->a, items, range_node(p, ch, ch, re_folds(p)));
	}
	re_skip(p, end < 0 ? n : n + 2);
}

static const struct re *parse_escape(struct re_parser *p)
{
	static const struct {
		char letter;
		enum assertion what;
	} assertions[] = {
		{ 'A', BEGIN_TEXT },
		{ 'z', END_TEXT },
		{ 'b', WORD_BOUNDARY },
		{ 'B', NO_WORD_BOUNDARY },
	};
	struct char_set *set = ARENA_NEW(p->a, struct char_set);
	ucs4_t ch;
	size_t n;
	int rc;

	for (int i = 0; i < 4 && p->s.n > 1; i++) {
		if (re_peek(p, 1) != assertions[i].letter)
			continue;
		re_skip(p, 2);
		return assert_node(p, assertions[i].what);
	}
	rc = re_unicode_class(p, set);
	if (rc < 0)
		return NULL;
	if (rc || re_perl_class(p, set))
		return re_set_node(p, set);
	n = re_escape(p->s, &ch, p->err);
	if (n == 0)
		return NULL;
	re_skip(p, n);
	return range_node(p, ch, ch, re_folds(p));
}

static const struct re *parse_alternation(struct re_parser *p);

/* What stands between the parentheses, and the closing one. */
static const struct re *group_content(struct re_parser *p)
{
	const struct re *re;

	if (p->depth == DEPTH_MAX)
		return re_fail(p, "expression nests too deeply", p->whole);
	p->depth++;
	re = parse_alternation(p);
	p->depth--;
	if (re && re_peek(p, 0) != ')')
		return re_fail(p, "missing closing )", p->whole);
	if (re)
		re_skip(p, 1);
	return re;
}

static const struct re *parse_capture(struct re_parser *p, struct str name)
{
	struct re *re = re_node(p, RE_CAPTURE);
	const struct re **sub = arena_alloc(p->a, sizeof(*sub));

	vec_push(p->a, p->names, name);
	re->capture = (unsigned)p->names->len;
	sub[0] = group_content(p);
	re->sub = sub;
	re->nsub = 1;
	return sub[0] ? re : NULL;
}

/* (?P<name>...) or (?<name>...), whose name begins at `from`. */
static const struct re *named_group(struct re_parser *p, size_t from)
{
	ptrdiff_t end = str_chr(p->s, '>');
	struct str name;
	bool valid;

	if (end < 0)
		return re_fail(p, "invalid named capture", p->s);
	name = str_sub(p->s, from, (size_t)end);
	valid = name.n > 0;
	for (size_t i = 0; i < name.n; i++) {
		unsigned char ch = (unsigned char)name.p[i];

		valid = valid && (ch == '_' || (ch < 0x80 && isalnum(ch)));
	}
	if (!valid)
		return re_fail(p, "invalid named capture",
			    str_sub(p->s, 0, (size_t)end + 1));
	re_skip(p, (size_t)end + 1);
	return parse_capture(p, name);
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

		re_skip(p, re_char(p->s, &ch));
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
	re_fail(p, "invalid or unsupported Perl syntax",
	     str_sub(start, 0, start.n - p->s.n));
	return 0;
}

/* NULL also for mere flags, which p->flags then has. */
static const struct re *parse_group(struct re_parser *p)
{
	unsigned before = p->flags, flags;
	const struct re *re;
	char end;

	if (re_peek(p, 1) != '?') {
		re_skip(p, 1);
		re = parse_capture(p, STR(""));
	} else if (p->s.n > 4 && str_starts(p->s, "(?P<")) {
		re = named_group(p, 4);
	} else if (p->s.n > 3 && str_starts(p->s, "(?<")) {
		re = named_group(p, 3);
	} else {
		end = read_flags(p, &flags);
		p->flags = flags;
		if (end != ':')
			return NULL;
		re = group_content(p);
	}
	p->flags = before;
	return re;
}

/* --- sequences --- */

static const struct re *parse_dot(struct re_parser *p)
{
	struct char_set *set = ARENA_NEW(p->a, struct char_set);

	re_skip(p, 1);
	if (p->flags & DOT_NL)
		return range_node(p, 0, 0x10ffff, false);
	set_add_range(p->a, set, '\n', '\n', false);
	set->negate = true;
	return re_set_node(p, set);
}

/* One item, added to items; -1 on error. */
static int parse_item(struct re_parser *p, struct re_vec *items)
{
	bool lines = p->flags & MULTI_LINE;
	const struct re *re;
	ucs4_t ch;

	switch (p->s.p[0]) {
	case '(':
		re = parse_group(p);
		if (!re) /* flags alone are no item */
			return p->err->what ? -1 : 0;
		break;
	case '[':
		re = re_bracket(p);
		break;
	case '.':
		re = parse_dot(p);
		break;
	case '^':
	case '$':
		re = assert_node(p, p->s.p[0] == '^'
					    ? lines ? BEGIN_LINE : BEGIN_TEXT
					    : lines ? END_LINE : END_TEXT);
		re_skip(p, 1);
		break;
	case '\\':
		if (re_peek(p, 1) == 'Q') {
			quoted_text(p, items);
			return 0;
		}
		re = parse_escape(p);
		break;
	default:
		re_skip(p, re_char(p->s, &ch));
		re = range_node(p, ch, ch, re_folds(p));
		break;
	}
	if (!re)
		return -1;
	vec_push(p->a, items, re);
	return 0;
}

static const struct re *parse_concatenation(struct re_parser *p)
{
	struct re_vec items = { 0 };
	struct str last = STR_NONE;

	while (p->s.n && p->s.p[0] != '|' && p->s.p[0] != ')') {
		int rc = re_repetition(p, &items, &last);

		if (rc < 0)
			return NULL;
		if (rc)
			continue;
		last = STR_NONE;
		if (parse_item(p, &items))
			return NULL;
	}
	return concat_node(p, &items);
}

static const struct re *parse_alternation(struct re_parser *p)
{
	struct re_vec items = { 0 };
	struct re *re;

	for (;;) {
		const struct re *item = parse_concatenation(p);

		if (!item)
			return NULL;
		vec_push(p->a, &items, item);
		if (re_peek(p, 0) != '|')
			break;
		re_skip(p, 1);
	}
	if (items.len == 1)
		return items.items[0];
	re = re_node(p, RE_ALT);
	re->sub = items.items;
	re->nsub = items.len;
	return re;
}

const struct re *re_parse(struct arena *a, struct str pattern,
			  struct name_vec *names, struct re_error *err)
{
	struct re_parser p = { .a = a, .whole = pattern, .s = pattern,
			    .names = names, .err = err };
	const struct re *re;

	*err = (struct re_error){ NULL, STR_NONE };
	re = parse_alternation(&p);
	if (re && p.s.n)
		return re_fail(&p, "unexpected )", pattern);
	return re;
}
