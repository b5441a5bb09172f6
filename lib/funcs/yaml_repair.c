/*
 * yaml_repair.c - texts that OpenTofu reads and libyaml refuses
 *
 * Rewrites the place that libyaml reports; then the text is read again.
 */
#include "funcs/funcs_int.h"

/* The offset in s of the character at a mark; s.n if there is none. */
static size_t mark_offset(struct str s, struct yaml_place m)
{
	size_t at = 0;

	if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0)
		at = 3; /* not counted */
	for (size_t i = 0; i < m.index && at < s.n; i++) {
		size_t n = utf8_len(s.p + at, s.n - at);

		at += n ? n : 1;
	}
	return at;
}

/* \' within double quotes: the backslash is taken out. */
static bool repair_escape(struct arena *a, const struct yaml_error *e,
			  struct str *s)
{
	size_t at = mark_offset(*s, e->problem_at);
	char *copy;

	if (at + 1 >= s->n || memcmp(s->p + at, "\\'", 2) != 0)
		return false;
	copy = arena_strndup(a, s->p, s->n);
	memmove(copy + at, copy + at + 1, s->n - at - 1);
	*s = (struct str){ copy, s->n - 1 };
	return true;
}

/* A plain scalar within brackets that ends in a colon: it is quoted. */
static bool repair_colon(struct arena *a, const struct yaml_error *e,
			 struct str *s)
{
	size_t from = mark_offset(*s, e->context_at),
	       to = mark_offset(*s, e->problem_at) + 1;
	struct buf b = BUF_INIT;

	if (to > s->n || from >= to || memchr(s->p + from, '?', to - from))
		return false;
	buf_str(&b, str_sub(*s, 0, from));
	buf_putc(&b, '\'');
	for (size_t i = from; i < to; i++) {
		if (s->p[i] == '\'')
			buf_putc(&b, '\'');
		buf_putc(&b, s->p[i]);
	}
	buf_putc(&b, '\'');
	buf_str(&b, str_sub(*s, to, s->n));
	*s = buf_dup(a, &b);
	buf_release(&b);
	return true;
}

bool yaml_repair(struct arena *a, struct yaml_error e, struct str *s)
{
	struct str problem = str_c(e.problem);

	if (!e.is_lexical)
		return false;
	if (str_is(problem, "found unknown escape character"))
		return repair_escape(a, &e, s);
	if (str_is(problem, "found unexpected ':'"))
		return repair_colon(a, &e, s);
	return false;
}
