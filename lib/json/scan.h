/*
 * scan.h - the scanner: a strict cursor over JSON text, without a tree
 *
 * For documents of which little is decoded: a state file is megabytes of
 * attributes that are passed on as text.  Members that are known are decoded,
 * others are taken as validated slices.  Nothing recurses.  The scanner does
 * not check for UTF-8: code that reads text from outside does (str_utf8_valid).
 */
#ifndef TFPIPE_JSON_SCAN_H
#define TFPIPE_JSON_SCAN_H

#include "base/str.h"

enum { JSON_DEPTH = 1000 }; /* levels of nesting accepted */

struct json_scan {
	struct arena *arena; /* for strings that hold escapes */
	const char *start;
	const char *p;
	const char *end;
	const char *error; /* what is wrong at p; static, NULL while fine */
};

static inline struct json_scan json_scan_start(struct arena *a, struct str text)
{
	const char *p = text.n ? text.p : "";

	return (struct json_scan){ a, p, p, p + text.n, NULL };
}

/* The first character of the next value, 0 at the end of the text. */
char json_scan_peek(struct json_scan *s);

/* Each returns 0, or -1 with s->error set (s->p is then where).  Strings
 * borrow the text unless they hold escapes. */
int json_scan_string(struct json_scan *s, struct str *out);
/* Any value, validated; out (may be NULL) is its text. */
int json_scan_value(struct json_scan *s, struct str *out);
/* Any value that is likely the valid text `like`: then it is not validated
 * again. */
int json_scan_like(struct json_scan *s, struct str like, struct str *out);
int json_scan_end(struct json_scan *s); /* only white space is left */

/* { and [: then ask for members or elements until the answer is 0 (the
 * closing bracket was read) or -1.  first starts as true. */
int json_scan_open(struct json_scan *s, char bracket);
int json_scan_member(struct json_scan *s, bool *first, struct str *name);
int json_scan_element(struct json_scan *s, bool *first);

#endif
