/* regex_int.h - what the files of this room share */
#ifndef TFPIPE_FUNCS_REGEX_REGEX_INT_H
#define TFPIPE_FUNCS_REGEX_REGEX_INT_H

#include "funcs/regex/regex.h"

/* A pattern for PCRE2. */
struct re_text {
	struct buf out;
	struct name_vec names; /* one a capture, empty if it has none */
	VEC(unsigned) groups;  /* by capture: PCRE2's number of its group */
};

/* regex_parse.c: what the parts of the translation share */

enum re_flags {
	FOLD_CASE = 1 << 0,  /* i */
	MULTI_LINE = 1 << 1, /* m */
	DOT_NL = 1 << 2,     /* s */
	LAZY = 1 << 3,       /* U */
};

enum { LAST_CHAR = 0x10ffff };

/* The output for a part of the pattern. */
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
int regex_fail(struct re_parser *p, const char *what, struct str where);

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

/* Returns 0, or -1 with *err filled; out->out is the caller's to release
 * either way. */
int regex_translate(struct arena *a, struct str pattern, struct re_text *out,
		    struct re_error *err);

/*
 * regex_bracket.c: classes of characters in regular expressions: [...],
 * \d, \pL
 */

/* [...] at p->s, \pL or \p{...}, \d.  1: written; 0: there is none; -1. */
int regex_bracket(struct re_parser *p);
int regex_unicode_class(struct re_parser *p);
int regex_perl_class(struct re_parser *p);

/* regex_class.c: sets of characters, written for PCRE2 */

/* lo to hi, but for the surrogates, which are in no text. */
void class_range(struct buf *b, ucs4_t lo, ucs4_t hi);
/* \d \s \w and, by capital letters, their opposites; false for others.
 * fold: regardless of case. */
bool class_perl(struct buf *b, char letter, bool fold);
/* The name between [: and :], which may begin with ^; false: unknown. */
bool class_posix(struct buf *b, struct str name, bool fold);
/* The name in \p{...}: a category or a script, with ^ or not. */
bool class_unicode(struct arena *a, struct buf *b, struct str name, bool negate,
		   bool fold);
/* [...] of what is in b, which is emptied. */
void class_close(struct buf *out, struct buf *b, bool negate, bool fold);

/* regex_escape.c: single characters in regular expressions */

/* \... at the start of s, for a single character; returns its length, or 0
 * with *err filled (regex_escape.c). */
size_t regex_escape(struct str s, ucs4_t *ch, struct re_error *err);

/* regex_repeat.c: repetition in regular expressions: * + ? {n,m} */

/* Reads a repetition operator at p->s, if there is one, and applies it to the
 * last item (NULL: none).  *last: the operator before, which another must not
 * directly follow (p NULL: none).  1: done; 0: there is none; -1. */
int regex_repetition(struct re_parser *p, struct re_item *item,
		     struct str *last);

#endif
