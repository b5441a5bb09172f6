/*
 * json.h - JSON: the manual of the room, the tree and the writer
 *
 * Each thing is here once:
 *   string.h  escapes, undone and written; nobody else knows them
 *   scan.h    the scanner: a strict cursor that borrows the text
 *   slice.h   members as slices of a text; trees that borrow it
 *   json.h    the tree: json_parse on yajl, which says best what is wrong
 *             the writer: struct jw, to which jw_text copies text that is JSON
 *             already; forms: may a text be written in another way?
 * The readers agree on what JSON is: no more than JSON_DEPTH levels (scan.h),
 * an escaped half of a surrogate pair alone is U+FFFD.  JSON syntax of the
 * language, which must recover from errors and count columns, has its own
 * reader (lang/syntax/json_syntax.c) on the escapes here.
 *
 * A tree is immutable, in an arena.  Number text is kept as written: what it
 * means is decided by who knows its type.  Object members keep their order; of
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
		const struct json *items;         /* JSON_ARRAY */
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

/* Parses exactly one value (white space around it allowed), which must be
 * UTF-8.  The tree's strings are copies in the arena.  NULL on error, with
 * *err filled. */
const struct json *json_parse(struct arena *a, struct str text,
			      struct json_error *err);

/* Member by name, or NULL; NULL also when j is NULL or not an object. */
const struct json *json_get(const struct json *j, const char *name);
/* Text of a string member, STR_NONE when absent or of another kind. */
struct str json_get_str(const struct json *j, const char *name);
/* Appends a list of strings; NULL is as good as empty.  -1: it is no such
 * list. */
int json_texts(struct arena *a, const struct json *list, struct str_vec *out);
bool json_get_bool(const struct json *j, const char *name, bool otherwise);
int64_t json_get_int(const struct json *j, const char *name,
		     int64_t otherwise);

/* Cheap look at one line of a stream: the text of the leading "record"
 * member, without parsing the line.  STR_NONE if the line does not start with
 * {"record":"...  (then parse it). */
struct str json_peek_record(struct str line);

/* Numbers with so many zeros at their end some write with an exponent. */
enum { JSON_MANY_ZEROS = 15 };

/* Is there one way alone to write the text without spaces?  Not with an escape
 * other than by a letter, a fraction, an exponent or many zeros; in doubt false
 * is the answer. */
bool json_one_form(struct str text);

/* Appends the number (JSON text) in the form that all texts of its value have:
 * whole ones by their digits, unless that takes many zeros. */
void json_number_form(struct buf *out, struct str number);

struct jw {
	struct buf *out;
	bool html;    /* escape < > & as \u003c ... */
	bool comma;   /* a value was written at this level */
	bool keyed;   /* a key was written, its value comes next */
	bool varied;  /* something was written that may have several forms */
	bool one_form; /* jw_json writes numbers as json_number_form does */
	int indent;   /* spaces a level; 0 writes compactly */
	int depth;
};

#define JW_INIT(buf_) { .out = (buf_) }

void jw_object(struct jw *w); /* { */
void jw_object_end(struct jw *w);
void jw_array(struct jw *w); /* [ */
void jw_array_end(struct jw *w);
/* jw_key: a name that needs no escapes, one of the program's own. */
void jw_key_plain(struct jw *w, const char *name, size_t n);
static inline void jw_key(struct jw *w, const char *name)
{
	jw_key_plain(w, name, strlen(name));
}
void jw_key_str(struct jw *w, struct str name);
void jw_str(struct jw *w, struct str s);
void jw_cstr(struct jw *w, const char *s);
/* One string: s, and a tail that needs no escapes. */
void jw_str_and(struct jw *w, struct str s, struct str tail);
void jw_bool(struct jw *w, bool b);
void jw_int(struct jw *w, int64_t n);
void jw_null(struct jw *w);
/* Text that is JSON already (a number as written, an embedded value). */
void jw_raw(struct jw *w, struct str json);
/* Valid JSON text again, in the layout of the writer: without white space, or
 * indented.  Its strings keep their escapes; with html they get the rest. */
void jw_text(struct jw *w, struct str json);
/* A parsed tree again. */
void jw_json(struct jw *w, const struct json *j);

/* "name": value in one call. */
static inline void jw_member_str(struct jw *w, const char *name, struct str s)
{
	jw_key(w, name);
	jw_str(w, s);
}

static inline void jw_member_bool(struct jw *w, const char *name, bool b)
{
	jw_key(w, name);
	jw_bool(w, b);
}

static inline void jw_member_int(struct jw *w, const char *name, int64_t n)
{
	jw_key(w, name);
	jw_int(w, n);
}

#endif
