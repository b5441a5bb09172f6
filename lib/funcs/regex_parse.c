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
#include <limits.h>

#include "funcs/regex_int.h"

enum { DEPTH_MAX = 1000, REPEAT_MAX = 1000 };

enum flags {
	FOLD_CASE = 1 << 0,  /* i */
	MULTI_LINE = 1 << 1, /* m */
	DOT_NL = 1 << 2,     /* s */
	LAZY = 1 << 3,       /* U */
};

struct parser {
	struct arena *a;
	struct str whole, s; /* the pattern, and what is left of it */
	unsigned flags;
	int depth;
	struct name_vec *names;
	struct re_error *err;
};

struct re_vec VEC_OF(const struct re *);

static void *fail(struct parser *p, const char *what, struct str where)
{
	if (!p->err->what)
		*p->err = (struct re_error){ what, where };
	return NULL;
}

static char peek(const struct parser *p, size_t i)
{
	return i < p->s.n ? p->s.p[i] : '\0';
}

static void skip(struct parser *p, size_t n)
{
	p->s = str_sub(p->s, n, p->s.n);
}

static struct re *node(struct parser *p, enum re_kind kind)
{
	struct re *re = ARENA_NEW(p->a, struct re);

	re->kind = kind;
	return re;
}

static const struct re *assert_node(struct parser *p, enum assertion what)
{
	struct re *re = node(p, RE_ASSERT);

	re->assertion = what;
	return re;
}

static const struct re *set_node(struct parser *p, const struct char_set *set)
{
	struct re *re = node(p, RE_SET);

	re->set = set;
	return re;
}

static const struct re *range_node(struct parser *p, ucs4_t lo, ucs4_t hi,
				   bool fold)
{
	struct char_set *set = ARENA_NEW(p->a, struct char_set);

	set_add_range(p->a, set, lo, hi, fold);
	return set_node(p, set);
}

static bool folds(const struct parser *p)
{
	return p->flags & FOLD_CASE;
}

/* --- classes --- */

/* \pL or \p{...} at the start of p->s.  1: added; 0: there is none; -1. */
static int unicode_class(struct parser *p, struct char_set *set)
{
	size_t n, from = 2;
	ptrdiff_t brace;
	struct str name;
	ucs4_t ch;

	if (peek(p, 0) != '\\' || (peek(p, 1) != 'p' && peek(p, 1) != 'P') ||
	    p->s.n < 3)
		return 0;
	n = 2 + re_char(str_sub(p->s, 2, p->s.n), &ch);
	name = str_sub(p->s, 2, n);
	if (ch == '{') {
		brace = str_chr(p->s, '}');
		if (brace < 0) {
			fail(p, "invalid character class range", p->s);
			return -1;
		}
		from = 3;
		n = (size_t)brace + 1;
		name = str_sub(p->s, from, n - 1);
	}
	if (!set_add_unicode(p->a, set, name, peek(p, 1) == 'P', folds(p))) {
		fail(p, "invalid character class range",
		     str_sub(p->s, 0, n));
		return -1;
	}
	skip(p, n);
	return 1;
}

static bool perl_class(struct parser *p, struct char_set *set)
{
	if (peek(p, 0) != '\\' ||
	    !set_add_perl(p->a, set, peek(p, 1), folds(p)))
		return false;
	skip(p, 2);
	return true;
}

/* [:name:]; results as of unicode_class(). */
static int posix_class(struct parser *p, struct char_set *set)
{
	ptrdiff_t end;
	size_t n;

	if (p->s.n <= 2 || peek(p, 0) != '[' || peek(p, 1) != ':')
		return 0;
	end = str_find(str_sub(p->s, 2, p->s.n), STR(":]"));
	if (end < 0)
		return 0;
	n = (size_t)end + 4;
	if (!set_add_posix(p->a, set, str_sub(p->s, 2, n - 2), folds(p))) {
		fail(p, "invalid character class range",
		     str_sub(p->s, 0, n));
		return -1;
	}
	skip(p, n);
	return 1;
}

static int class_char(struct parser *p, struct str class, ucs4_t *ch)
{
	size_t n;

	if (p->s.n == 0) {
		fail(p, "missing closing ]", class);
		return -1;
	}
	if (p->s.p[0] == '\\')
		n = re_escape(p->s, ch, p->err);
	else
		n = re_char(p->s, ch);
	skip(p, n);
	return n ? 0 : -1;
}

/* A character or a range. */
static int class_range(struct parser *p, struct char_set *set,
		       struct str class)
{
	struct str start = p->s;
	ucs4_t lo, hi;

	if (class_char(p, class, &lo))
		return -1;
	hi = lo;
	if (p->s.n >= 2 && p->s.p[0] == '-' && p->s.p[1] != ']') {
		skip(p, 1);
		if (class_char(p, class, &hi))
			return -1;
		if (hi < lo) {
			fail(p, "invalid character class range",
			     str_sub(start, 0, start.n - p->s.n));
			return -1;
		}
	}
	set_add_range(p->a, set, lo, hi, folds(p));
	return 0;
}

/* [...]; a ] that comes first is an ordinary character. */
static const struct re *parse_class(struct parser *p)
{
	struct char_set *set = ARENA_NEW(p->a, struct char_set);
	struct str class = p->s;
	bool first = true;

	skip(p, 1);
	if (peek(p, 0) == '^') {
		set->negate = true;
		skip(p, 1);
	}
	for (; first || peek(p, 0) != ']' || p->s.n == 0; first = false) {
		int rc = posix_class(p, set);

		if (rc == 0)
			rc = unicode_class(p, set);
		if (rc == 0 && perl_class(p, set))
			rc = 1;
		if (rc < 0 || (rc == 0 && class_range(p, set, class)))
			return NULL;
	}
	skip(p, 1);
	return set_node(p, set);
}

/* --- items --- */

static const struct re *concat_node(struct parser *p,
				    const struct re_vec *items)
{
	struct re *re;

	if (items->len == 1)
		return items->items[0];
	re = node(p, items->len ? RE_CONCAT : RE_EMPTY);
	re->sub = items->items;
	re->nsub = items->len;
	return re;
}

/* \Q...\E: a concatenation of plain characters, the last one apart, because a
 * repetition after it concerns only that. */
static void quoted_text(struct parser *p, struct re_vec *items)
{
	ptrdiff_t end = str_find(p->s, STR("\\E"));
	size_t n = end < 0 ? p->s.n : (size_t)end, i = 2;
	ucs4_t ch;

	while (i < n) {
		i += re_char(str_sub(p->s, i, n), &ch);
		vec_push(p->a, items, range_node(p, ch, ch, folds(p)));
	}
	skip(p, end < 0 ? n : n + 2);
}

static const struct re *parse_escape(struct parser *p)
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
		if (peek(p, 1) != assertions[i].letter)
			continue;
		skip(p, 2);
		return assert_node(p, assertions[i].what);
	}
	rc = unicode_class(p, set);
	if (rc < 0)
		return NULL;
	if (rc || perl_class(p, set))
		return set_node(p, set);
	n = re_escape(p->s, &ch, p->err);
	if (n == 0)
		return NULL;
	skip(p, n);
	return range_node(p, ch, ch, folds(p));
}

static const struct re *parse_alternation(struct parser *p);

/* What stands between the parentheses, and the closing one. */
static const struct re *group_content(struct parser *p)
{
	const struct re *re;

	if (p->depth == DEPTH_MAX)
		return fail(p, "expression nests too deeply", p->whole);
	p->depth++;
	re = parse_alternation(p);
	p->depth--;
	if (re && peek(p, 0) != ')')
		return fail(p, "missing closing )", p->whole);
	if (re)
		skip(p, 1);
	return re;
}

static const struct re *parse_capture(struct parser *p, struct str name)
{
	struct re *re = node(p, RE_CAPTURE);
	const struct re **sub = arena_alloc(p->a, sizeof(*sub));

	vec_push(p->a, p->names, name);
	re->capture = (unsigned)p->names->len;
	sub[0] = group_content(p);
	re->sub = sub;
	re->nsub = 1;
	return sub[0] ? re : NULL;
}

/* (?P<name>...) or (?<name>...), whose name begins at `from`. */
static const struct re *named_group(struct parser *p, size_t from)
{
	ptrdiff_t end = str_chr(p->s, '>');
	struct str name;
	bool valid;

	if (end < 0)
		return fail(p, "invalid named capture", p->s);
	name = str_sub(p->s, from, (size_t)end);
	valid = name.n > 0;
	for (size_t i = 0; i < name.n; i++) {
		unsigned char ch = (unsigned char)name.p[i];

		valid = valid && (ch == '_' || (ch < 0x80 && isalnum(ch)));
	}
	if (!valid)
		return fail(p, "invalid named capture",
			    str_sub(p->s, 0, (size_t)end + 1));
	skip(p, (size_t)end + 1);
	return parse_capture(p, name);
}

/* (?flags) and (?flags: ; returns how it ended, ':' or ')', or 0. */
static char read_flags(struct parser *p, unsigned *flags)
{
	static const char letters[] = "imsU";
	struct str start = p->s;
	bool off = false, any = false;
	ucs4_t ch = 0;

	*flags = p->flags;
	skip(p, 2);
	while (p->s.n) {
		const char *known;

		skip(p, re_char(p->s, &ch));
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
	fail(p, "invalid or unsupported Perl syntax",
	     str_sub(start, 0, start.n - p->s.n));
	return 0;
}

/* NULL also for mere flags, which p->flags then has. */
static const struct re *parse_group(struct parser *p)
{
	unsigned before = p->flags, flags;
	const struct re *re;
	char end;

	if (peek(p, 1) != '?') {
		skip(p, 1);
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

/* --- repetition --- */

/* A count; -1 if it is out of all proportion; false if there is none. */
static bool read_count(struct str s, size_t *i, int *n)
{
	size_t start = *i;

	*n = 0;
	while (*i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9') {
		if (*n >= 0)
			*n = *n * 10 + (s.p[*i] - '0');
		if (*n > 100000000)
			*n = -1;
		++*i;
	}
	return *i > start && !(s.p[start] == '0' && *i > start + 1);
}

/* {n}, {n,} or {n,m}: its length, or 0 if the brace means itself. */
static size_t read_braces(struct str s, int *min, int *max)
{
	size_t i = 1;

	if (!read_count(s, &i, min))
		return 0;
	*max = *min;
	if (i < s.n && s.p[i] == ',') {
		i++;
		if (i < s.n && s.p[i] == '}')
			*max = INT_MAX;
		else if (!read_count(s, &i, max))
			return 0;
	}
	return i < s.n && s.p[i] == '}' ? i + 1 : 0;
}

/* Do the counts of nested repetitions multiply to no more than n? */
static bool counts_within(const struct re *re, int n)
{
	if (re->kind == RE_REPEAT && re->counted) {
		int m = re->max < 0 ? re->min : re->max;

		if (re->max == 0)
			return true;
		if (m > n)
			return false;
		if (m > 0)
			n /= m;
	}
	for (size_t i = 0; i < re->nsub; i++) {
		if (!counts_within(re->sub[i], n))
			return false;
	}
	return true;
}

/* The repetition operator at p->s: its length, or 0. */
static size_t operator_at(struct parser *p, int *min, int *max)
{
	*min = 0;
	*max = -1;
	switch (peek(p, 0)) {
	case '+':
		*min = 1;
		return 1;
	case '?':
		*max = 1;
		return 1;
	case '*':
		return p->s.n > 0;
	case '{':
		return read_braces(p->s, min, max);
	default:
		return 0;
	}
}

/* Applies the operator of n bytes to the last item.  *last: the operator
 * before, directly behind which another must not stand. */
static int repeat(struct parser *p, struct re_vec *items, size_t n, int min,
		  int max, struct str *last)
{
	struct str op = p->s;
	bool counted = op.p[0] == '{', lazy = p->flags & LAZY;
	struct re *re = node(p, RE_REPEAT);

	if (counted && (min < 0 || min > REPEAT_MAX ||
			(max != INT_MAX &&
			 (max < 0 || max > REPEAT_MAX || min > max)))) {
		fail(p, "invalid repeat count", str_sub(op, 0, n));
		return -1;
	}
	skip(p, n);
	if (peek(p, 0) == '?') {
		skip(p, 1);
		lazy = !lazy;
	}
	if (last->p) {
		fail(p, "invalid nested repetition operator",
		     str_sub(*last, 0, last->n - p->s.n));
		return -1;
	}
	*last = op;
	op = str_sub(op, 0, op.n - p->s.n);
	if (items->len == 0) {
		fail(p, "missing argument to repetition operator", op);
		return -1;
	}
	re->sub = arena_dup(p->a, &items->items[items->len - 1],
			    sizeof(*re->sub));
	re->nsub = 1;
	re->min = min;
	re->max = max == INT_MAX ? -1 : max;
	re->counted = counted;
	re->lazy = lazy;
	items->items[items->len - 1] = re;
	if (!counted || (min < 2 && max < 2) || counts_within(re, REPEAT_MAX))
		return 0;
	fail(p, "invalid repeat count", op);
	return -1;
}

/* --- sequences --- */

static const struct re *parse_dot(struct parser *p)
{
	struct char_set *set = ARENA_NEW(p->a, struct char_set);

	skip(p, 1);
	if (p->flags & DOT_NL)
		return range_node(p, 0, 0x10ffff, false);
	set_add_range(p->a, set, '\n', '\n', false);
	set->negate = true;
	return set_node(p, set);
}

/* One item, added to items; -1 on error. */
static int parse_item(struct parser *p, struct re_vec *items)
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
		re = parse_class(p);
		break;
	case '.':
		re = parse_dot(p);
		break;
	case '^':
	case '$':
		re = assert_node(p, p->s.p[0] == '^'
					    ? lines ? BEGIN_LINE : BEGIN_TEXT
					    : lines ? END_LINE : END_TEXT);
		skip(p, 1);
		break;
	case '\\':
		if (peek(p, 1) == 'Q') {
			quoted_text(p, items);
			return 0;
		}
		re = parse_escape(p);
		break;
	default:
		skip(p, re_char(p->s, &ch));
		re = range_node(p, ch, ch, folds(p));
		break;
	}
	if (!re)
		return -1;
	vec_push(p->a, items, re);
	return 0;
}

static const struct re *parse_concatenation(struct parser *p)
{
	struct re_vec items = { 0 };
	struct str last = STR_NONE;

	while (p->s.n && p->s.p[0] != '|' && p->s.p[0] != ')') {
		int min, max;
		size_t n = operator_at(p, &min, &max);

		if (n) {
			if (repeat(p, &items, n, min, max, &last))
				return NULL;
			continue;
		}
		last = STR_NONE;
		if (parse_item(p, &items))
			return NULL;
	}
	return concat_node(p, &items);
}

static const struct re *parse_alternation(struct parser *p)
{
	struct re_vec items = { 0 };
	struct re *re;

	for (;;) {
		const struct re *item = parse_concatenation(p);

		if (!item)
			return NULL;
		vec_push(p->a, &items, item);
		if (peek(p, 0) != '|')
			break;
		skip(p, 1);
	}
	if (items.len == 1)
		return items.items[0];
	re = node(p, RE_ALT);
	re->sub = items.items;
	re->nsub = items.len;
	return re;
}

const struct re *re_parse(struct arena *a, struct str pattern,
			  struct name_vec *names, struct re_error *err)
{
	struct parser p = { .a = a, .whole = pattern, .s = pattern,
			    .names = names, .err = err };
	const struct re *re;

	*err = (struct re_error){ NULL, STR_NONE };
	re = parse_alternation(&p);
	if (re && p.s.n)
		return fail(&p, "unexpected )", pattern);
	return re;
}
