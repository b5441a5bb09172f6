/*
 * scan_int.h - one pass over JSON text, without a tree
 *
 * A state file is megabytes of attributes that are passed on as text, so the
 * state reader walks the file with this cursor: it decodes the members it
 * knows and takes the rest as validated slices.  Beside it, the emitters that
 * write such slices again, indented or compact, as Go's encoder formats them:
 * '<', '>', '&', U+2028 and U+2029 escaped inside strings.
 */
#ifndef TFPIPE_STATE_SCAN_INT_H
#define TFPIPE_STATE_SCAN_INT_H

#include "base/str.h"

enum { SCAN_DEPTH = 1000 }; /* levels of nesting accepted */

struct scan {
	struct arena *arena; /* for strings that hold escapes */
	const char *start;
	const char *p;
	const char *end;
	const char *error; /* what is wrong at p; static, NULL while fine */
};

static inline struct scan scan_start(struct arena *a, struct str text)
{
	const char *p = text.n ? text.p : "";

	return (struct scan){ a, p, p, p + text.n, NULL };
}

/* The first character of the next value, 0 at the end of the text. */
char scan_peek(struct scan *s);

/* Each returns 0, or -1 with s->error set (s->p is then where).  Strings
 * borrow the text unless they hold escapes. */
int scan_string(struct scan *s, struct str *out);
/* Any value, validated; out (may be NULL) is its text. */
int scan_value(struct scan *s, struct str *out);
int scan_end(struct scan *s); /* nothing but white space is left */

/* { and [: then ask for members or elements until the answer is 0 (the
 * closing bracket was read) or -1.  first starts as true. */
int scan_open(struct scan *s, char bracket);
int scan_member(struct scan *s, bool *first, struct str *name);
int scan_element(struct scan *s, bool *first);

/* Decodes the inside of a JSON string; lone surrogates become U+FFFD. */
struct str scan_unescape(struct arena *a, struct str raw);

/* A string with its quotes, escaped as Go does for HTML. */
void emit_string(struct buf *b, struct str s);
/* Valid JSON again: over several lines, the first at the current column and
 * the others at depth levels of two spaces; or without white space. */
void emit_indented(struct buf *b, struct str json, unsigned depth);
void emit_compact(struct buf *b, struct str json);
void emit_newline(struct buf *b, unsigned depth);

#endif
