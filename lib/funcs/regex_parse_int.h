/*
 * regex_parse_int.h - what the parts of the translation share
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

enum { LAST_CHAR = 0x10ffff };

/* What was written for a part of the pattern. */
struct re_item {
	size_t start;  /* offset in the output */
	bool nullable; /* can match nothing */
	int weight;    /* product of the nested counts in it, at least 1 */
};

struct re_parser {
	struct arena *a;
	struct str whole, s; /* the pattern, and what is left of it */
	unsigned flags;
	int depth;
	struct re_text *text;
	struct re_error *err;
};

/* Notes the first error; returns -1. */
int re_fail(struct re_parser *p, const char *what, struct str where);

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

/* --- regex_class.c: what stands between brackets --- */

/* lo to hi, but for the surrogates, which are in no text. */
void class_range(struct buf *b, ucs4_t lo, ucs4_t hi);
/* \d \s \w and, by capital letters, their opposites; false for others.
 * fold: regardless of case. */
bool class_perl(struct buf *b, char letter, bool fold);
/* The name between [: and :], which may begin with ^; false: unknown. */
bool class_posix(struct buf *b, struct str name, bool fold);
/* The name in \p{...}: a category or a script, with ^ or not. */
bool class_unicode(struct arena *a, struct buf *b, struct str name,
		   bool negate, bool fold);
/* [...] of what is in b, which is emptied. */
void class_close(struct buf *out, struct buf *b, bool negate, bool fold);

/* --- regex_bracket.c --- */

/* [...] at p->s, \pL or \p{...}, \d.  1: written; 0: there is none; -1. */
int re_bracket(struct re_parser *p);
int re_unicode_class(struct re_parser *p);
int re_perl_class(struct re_parser *p);

/* --- regex_repeat.c --- */

/* Reads a repetition operator at p->s, if there is one, and applies it to the
 * last item (NULL: none).  *last: the operator before, directly behind which
 * another must not stand (p NULL: none).  1: done; 0: there is none; -1. */
int re_repetition(struct re_parser *p, struct re_item *item,
		  struct str *last);

#endif
