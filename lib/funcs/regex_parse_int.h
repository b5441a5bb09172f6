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

#endif
