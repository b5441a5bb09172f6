/*
 * regex_parse_int.h - what the parts of the parser of regular expressions share
 */
#ifndef TFPIPE_FUNCS_REGEX_PARSE_INT_H
#define TFPIPE_FUNCS_REGEX_PARSE_INT_H

#include "funcs/regex_int.h"

enum re_flags {
	FOLD_CASE = 1 << 0,  /* i */
	MULTI_LINE = 1 << 1, /* m */
	DOT_NL = 1 << 2,     /* s */
	LAZY = 1 << 3,       /* U */
};

struct re_parser {
	struct arena *a;
	struct str whole, s; /* the pattern, and what is left of it */
	unsigned flags;
	int depth;
	struct name_vec *names;
	struct re_error *err;
};

struct re_vec VEC_OF(const struct re *);

/* Notes the first error; returns NULL. */
void *re_fail(struct re_parser *p, const char *what, struct str where);

static inline char re_peek(const struct re_parser *p, size_t i)
{
	return i < p->s.n ? p->s.p[i] : '\0';
}

static inline void re_skip(struct re_parser *p, size_t n)
{
	p->s = str_sub(p->s, n, p->s.n);
}

static inline bool re_folds(const struct re_parser *p)
{
	return p->flags & FOLD_CASE;
}

struct re *re_node(struct re_parser *p, enum re_kind kind);
const struct re *re_set_node(struct re_parser *p, const struct char_set *set);

/* --- regex_bracket.c --- */

/* [...] at p->s; NULL on error. */
const struct re *re_bracket(struct re_parser *p);
/* \pL or \p{...} at p->s.  1: added to set; 0: there is none; -1: error. */
int re_unicode_class(struct re_parser *p, struct char_set *set);
/* \d and the like; false: there is none. */
bool re_perl_class(struct re_parser *p, struct char_set *set);

/* --- regex_repeat.c --- */

/* Reads a repetition operator at p->s, if there is one, and applies it to the
 * last item. *last: the operator before, directly behind which another must
 * not stand (p NULL: none).  1: done; 0: there is none; -1: error. */
int re_repetition(struct re_parser *p, struct re_vec *items,
		  struct str *last);

#endif
