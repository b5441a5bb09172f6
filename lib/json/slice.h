/*
 * slice.h - members of a JSON object as slices of its text, without a tree
 *
 * For readers of streams that need a few members of a long line: the rest is
 * skipped, not built.  The text need not be valid JSON: malformed text ends the
 * walk (json_slice_next returns false with .bad set).
 */
#ifndef TFPIPE_JSON_SLICE_H
#define TFPIPE_JSON_SLICE_H

#include "json/json.h"

struct json_slice {
	const char *p, *end;
	bool started, bad;
	struct str name;  /* of the member found: text between the quotes */
	struct str value; /* its text, white space around it left out */
};

#define JSON_SLICE_INIT(s) { .p = (s).p, .end = (s).p + (s).n }

/* Goes to the next member of the object; false at its end. */
bool json_slice_next(struct json_slice *s);

/* A string value's content; copied to the arena only if it holds escapes.
 * STR_NONE if v is not a string, or not UTF-8. */
struct str json_slice_str(struct arena *a, struct str v);

/* A tree of an object that borrows what it can: strings without escapes are
 * slices of text, which must live as long as the tree.  Members whose names are
 * in `skip` (ended by NULL; may be NULL) are left out wherever they are.  NULL:
 * text is not as simple as that (or not valid); ask json_parse. */
const struct json *json_slice_tree(struct arena *a, struct str text,
				   const char *const *skip);

#endif
