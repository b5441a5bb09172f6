/*
 * json.h - JSON: the manual of the room, and the tree
 *
 * Each thing is here once:
 *   escapes.c what they are, undone and written; nobody else knows them
 *   scan.c    the scanner: a strict cursor that borrows the text
 *   slice.c   members as slices of a text; trees that borrow it
 *   json.h    the tree; read.h makes one with yajl, which says best what is
 *             wrong, tree.h looks into it
 *   write.h   the writer: struct jw, to which text.c copies text that is JSON
 *             already
 *   forms.c   may a text be written in another way?
 *   same.c    do two texts say the same?
 * The readers agree on what JSON is: no more than JSON_DEPTH levels (scan.c),
 * an escaped half of a surrogate pair alone is U+FFFD.  JSON syntax of the
 * language, which must recover from errors and count columns, has its own
 * reader (lang/syntax/json_syntax.c) on the escapes here.
 *
 * A tree is immutable, in an arena.  Number text is kept as written: callers
 * that know its type decide what it means.  Object members keep their order; of
 * duplicate names the last counts (json_get), as in OpenTofu.
 *
 * Writing goes to a struct buf.  No escaping beyond what JSON needs, except
 * that U+2028/2029 are escaped; '<', '>', '&' are written as they are unless
 * jw.html is set (OpenTofu's jsonencode and state files escape them).
 */
#ifndef TFPIPE_JSON_JSON_H
#define TFPIPE_JSON_JSON_H

#include "base/diag.h"
#include "base/str.h"

enum json_kind {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

struct json {
	enum json_kind kind;
	uint32_t len; /* elements or members */
	union {
		bool boolean;
		struct str text; /* number as written; string decoded */
		const struct json *items;          /* JSON_ARRAY */
		const struct json_member *members; /* JSON_OBJECT */
	};
};

struct json_member {
	struct str name;
	struct json value;
};

struct json_error {
	size_t offset;       /* byte offset in the input */
	const char *message; /* static or in the arena */
};

/* Numbers with so many zeros at their end some write with an exponent. */
enum { JSON_MANY_ZEROS = 15 };

#endif
