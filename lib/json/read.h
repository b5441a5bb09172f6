/* read.h - JSON text to tree; see json.h.  Wraps yajl. */
#ifndef TFPIPE_JSON_READ_H
#define TFPIPE_JSON_READ_H

#include "json/json.h"
#include "base/str.h"

/* Parses exactly one value (white space around it allowed), which must be
 * UTF-8.  The tree's strings are copies in the arena.  NULL on error, with
 * *err filled. */
const struct json *json_parse(struct arena *a, struct str text,
			      struct json_error *err);

/*
 * scan.c: the scanner: a strict cursor over JSON text, without a tree
 *
 * For documents of which little is decoded: a state file is megabytes of
 * attributes that are passed on as text.  Members that are known are decoded,
 * others are taken as validated slices.  Nothing recurses.  The scanner does
 * not check for UTF-8: code that reads text from outside does (str_utf8_valid).
 */

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

/*
 * slice.c: members of a JSON object as slices of its text
 *
 * For readers of streams that need a few members of a long line: the rest is
 * skipped, not built.  Invalid JSON ends the walk (json_slice_next returns
 * false with .bad set); members before it are found.
 */

struct json_slice {
	const char *p, *end;
	bool started, bad;
	struct str name;  /* of the member found, raw, without its quotes */
	struct str value; /* its text, white space around it left out */
};

#define JSON_SLICE_INIT(s) \
	{ \
		.p = (s).p, .end = (s).p + (s).n \
	}

/* Goes to the next member of the object; false at its end. */
bool json_slice_next(struct json_slice *s);

/* The text of the object's member of this name; STR_NONE: it has none. */
struct str json_slice_get(struct str object, const char *name);

/* A string value's content; copied to the arena only if it holds escapes.
 * STR_NONE if v is not a string, or not UTF-8. */
struct str json_slice_str(struct arena *a, struct str v);

#endif
