/*
 * slice.h - members of a JSON object as slices of its text
 *
 * For readers of streams that need a few members of a long line: the rest is
 * skipped, not built.  Invalid JSON ends the walk (json_slice_next returns
 * false with .bad set); members before it are found.
 */
#ifndef TFPIPE_JSON_SLICE_H
#define TFPIPE_JSON_SLICE_H

#include "json/json.h"

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
