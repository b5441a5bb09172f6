/*
 * regex_bracket.c - classes of characters in regular expressions: [...], \d,
 * \pL
 */
#include "funcs/regex_parse_int.h"

/* \pL or \p{...} at the start of p->s.  1: added; 0: there is none; -1. */
int re_unicode_class(struct re_parser *p, struct char_set *set)
{
	size_t n, from = 2;
	ptrdiff_t brace;
	struct str name;
	ucs4_t ch;

	if (p->s.n < 3 || p->s.p[0] != '\\' ||
	    (p->s.p[1] != 'p' && p->s.p[1] != 'P'))
		return 0;
	n = 2 + re_char(str_sub(p->s, 2, p->s.n), &ch);
	name = str_sub(p->s, 2, n);
	if (ch == '{') {
		brace = str_chr(p->s, '}');
		if (brace < 0) {
			re_fail(p, "invalid character class range", p->s);
			return -1;
		}
		from = 3;
		n = (size_t)brace + 1;
		name = str_sub(p->s, from, n - 1);
	}
	if (!set_add_unicode(p->a, set, name, re_peek(p, 1) == 'P',
			     re_folds(p))) {
		re_fail(p, "invalid character class range",
		     str_sub(p->s, 0, n));
		return -1;
	}
	re_skip(p, n);
	return 1;
}

bool re_perl_class(struct re_parser *p, struct char_set *set)
{
	if (re_peek(p, 0) != '\\' ||
	    !set_add_perl(p->a, set, re_peek(p, 1), re_folds(p)))
		return false;
	re_skip(p, 2);
	return true;
}

/* [:name:]; results as of re_unicode_class(). */
static int posix_class(struct re_parser *p, struct char_set *set)
{
	ptrdiff_t end;
	size_t n;

	if (p->s.n <= 2 || re_peek(p, 0) != '[' || re_peek(p, 1) != ':')
		return 0;
	end = str_find(str_sub(p->s, 2, p->s.n), STR(":]"));
	if (end < 0)
		return 0;
	n = (size_t)end + 4;
	if (!set_add_posix(p->a, set, str_sub(p->s, 2, n - 2), re_folds(p))) {
		re_fail(p, "invalid character class range",
		     str_sub(p->s, 0, n));
		return -1;
	}
	re_skip(p, n);
	return 1;
}

static int class_char(struct re_parser *p, struct str class, ucs4_t *ch)
{
	size_t n;

	if (p->s.n == 0) {
		re_fail(p, "missing closing ]", class);
		return -1;
	}
	if (p->s.p[0] == '\\')
		n = re_escape(p->s, ch, p->err);
	else
		n = re_char(p->s, ch);
	re_skip(p, n);
	return n ? 0 : -1;
}

/* A character or a range. */
static int class_range(struct re_parser *p, struct char_set *set,
		       struct str class)
{
	struct str start = p->s;
	ucs4_t lo, hi;

	if (class_char(p, class, &lo))
		return -1;
	hi = lo;
	if (p->s.n >= 2 && p->s.p[0] == '-' && p->s.p[1] != ']') {
		re_skip(p, 1);
		if (class_char(p, class, &hi))
			return -1;
		if (hi < lo) {
			re_fail(p, "invalid character class range",
			     str_sub(start, 0, start.n - p->s.n));
			return -1;
		}
	}
	set_add_range(p->a, set, lo, hi, re_folds(p));
	return 0;
}

/* [...]; a ] that comes first is an ordinary character. */
const struct re *re_bracket(struct re_parser *p)
{
	struct char_set *set = ARENA_NEW(p->a, struct char_set);
	struct str class = p->s;
	bool first = true;

	re_skip(p, 1);
	if (re_peek(p, 0) == '^') {
		set->negate = true;
		re_skip(p, 1);
	}
	for (; first || re_peek(p, 0) != ']' || p->s.n == 0; first = false) {
		int rc = posix_class(p, set);

		if (rc == 0)
			rc = re_unicode_class(p, set);
		if (rc == 0 && re_perl_class(p, set))
			rc = 1;
		if (rc < 0 || (rc == 0 && class_range(p, set, class)))
			return NULL;
	}
	re_skip(p, 1);
	return re_set_node(p, set);
}
