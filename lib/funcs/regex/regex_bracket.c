/*
 * regex_bracket.c - classes of characters in regular expressions: [...], \d,
 * \pL
 */
#include "funcs/regex/regex_int.h"

static const char bad_range[] = "invalid character class range";

/* \pL or \p{...} at the start of p->s, added to b.  1; 0: there is none; -1. */
static int unicode_class(struct re_parser *p, struct buf *b)
{
	size_t n, from = 2;
	ptrdiff_t brace;
	struct str name;
	ucs4_t ch;

	if (p->s.n < 3 || p->s.p[0] != '\\' ||
	    (p->s.p[1] != 'p' && p->s.p[1] != 'P'))
		return 0;
	n = 2 + regex_char(str_sub(p->s, 2, p->s.n), &ch);
	name = str_sub(p->s, 2, n);
	if (ch == '{') {
		brace = str_chr(p->s, '}');
		if (brace < 0)
			return regex_fail(p, bad_range, p->s);
		from = 3;
		n = (size_t)brace + 1;
		name = str_sub(p->s, from, n - 1);
	}
	if (!class_unicode(p->a, b, name, re_peek(p, 1) == 'P', re_folds(p)))
		return regex_fail(p, bad_range, str_sub(p->s, 0, n));
	re_skip(p, n);
	return 1;
}

static int perl_class(struct re_parser *p, struct buf *b)
{
	if (re_peek(p, 0) != '\\' || !class_perl(b, re_peek(p, 1), re_folds(p)))
		return 0;
	re_skip(p, 2);
	return 1;
}

typedef int class_fn(struct re_parser *p, struct buf *b);

/* A class outside brackets gets its own. */
static int alone(struct re_parser *p, class_fn *read)
{
	struct buf b = BUF_INIT;
	int rc = read(p, &b);

	if (rc > 0)
		class_close(&p->text->out, &b, false, re_folds(p));
	buf_release(&b);
	return rc;
}

int regex_unicode_class(struct re_parser *p)
{
	return alone(p, unicode_class);
}

int regex_perl_class(struct re_parser *p)
{
	return alone(p, perl_class);
}

/* [:name:]; results as of unicode_class(). */
static int posix_class(struct re_parser *p, struct buf *b)
{
	ptrdiff_t end;
	size_t n;

	if (p->s.n <= 2 || re_peek(p, 0) != '[' || re_peek(p, 1) != ':')
		return 0;
	end = str_find(str_sub(p->s, 2, p->s.n), STR(":]"));
	if (end < 0)
		return 0;
	n = (size_t)end + 4;
	if (!class_posix(b, str_sub(p->s, 2, n - 2), re_folds(p)))
		return regex_fail(p, bad_range, str_sub(p->s, 0, n));
	re_skip(p, n);
	return 1;
}

static int class_char(struct re_parser *p, struct str class, ucs4_t *ch)
{
	size_t n;

	if (p->s.n == 0)
		return regex_fail(p, "missing closing ]", class);
	if (p->s.p[0] == '\\')
		n = regex_escape(p->s, ch, p->err);
	else
		n = regex_char(p->s, ch);
	re_skip(p, n);
	return n ? 0 : -1;
}

/* A character or a range. */
static int chars(struct re_parser *p, struct buf *b, struct str class)
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
		if (hi < lo)
			return regex_fail(p, bad_range,
					  str_sub(start, 0, start.n - p->s.n));
	}
	class_range(b, lo, hi);
	return 0;
}

/* Reads up to the closing bracket; a "]" that comes first is an ordinary
 * character. */
static int content(struct re_parser *p, struct buf *b, struct str class)
{
	bool first = true;

	for (; first || re_peek(p, 0) != ']' || p->s.n == 0; first = false) {
		int rc = posix_class(p, b);

		if (rc == 0)
			rc = unicode_class(p, b);
		if (rc == 0)
			rc = perl_class(p, b);
		if (rc < 0 || (rc == 0 && chars(p, b, class)))
			return -1;
	}
	return 0;
}

int regex_bracket(struct re_parser *p)
{
	struct buf b = BUF_INIT;
	struct str class = p->s;
	bool negate = re_peek(p, 1) == '^';
	int rc;

	if (re_peek(p, 0) != '[')
		return 0;
	re_skip(p, 1 + negate);
	rc = content(p, &b, class);
	if (rc == 0) {
		re_skip(p, 1);
		class_close(&p->text->out, &b, negate, re_folds(p));
	}
	buf_release(&b);
	return rc < 0 ? -1 : 1;
}
