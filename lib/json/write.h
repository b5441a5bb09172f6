/* write.h - JSON text out; see json.h */
#ifndef TFPIPE_JSON_WRITE_H
#define TFPIPE_JSON_WRITE_H

#include "json/json.h"
#include "base/str.h"

struct jw {
	struct buf *out;
	bool html;     /* escape < > & as \u003c ... */
	bool comma;    /* a value was written at this level */
	bool keyed;    /* a key was written, its value comes next */
	bool varied;   /* something was written that may have several forms */
	bool one_form; /* jw_json writes numbers as json_number_form does */
	int indent;    /* spaces a level; 0 writes compactly */
	int depth;
};

#define JW_INIT(buf_) \
	{ \
		.out = (buf_) \
	}

void jw_object(struct jw *w); /* { */
void jw_object_end(struct jw *w);
void jw_array(struct jw *w); /* [ */
void jw_array_end(struct jw *w);
void jw_key_str(struct jw *w, struct str name);
void jw_cstr(struct jw *w, const char *s);
/* One string: s, and a tail that needs no escapes. */
void jw_str_and(struct jw *w, struct str s, struct str tail);
void jw_null(struct jw *w);
/* Text that is JSON already (a number as written, an embedded value). */
void jw_raw(struct jw *w, struct str json);
/* A parsed tree again. */
void jw_json(struct jw *w, const struct json *j);
/* jw_key: a name that needs no escapes, one of the program's own. */
void jw_key_plain(struct jw *w, const char *name, size_t n);
static inline void jw_key(struct jw *w, const char *name)
{
	jw_key_plain(w, name, strlen(name));
}
void jw_str(struct jw *w, struct str s);
void jw_bool(struct jw *w, bool b);
void jw_int(struct jw *w, int64_t n);

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

/*
 * escapes.c: the inside of a JSON string: escaped, and with its escapes undone
 *
 * Only this module knows the syntax of escapes.  json_unescape reads a whole
 * string; json_unescape_one serves callers that report errors in one.
 */

/* Decodes the escapes of a string (the text between its quotes) into the arena.
 * STR_NONE if one of them is invalid. */
struct str json_unescape(struct arena *a, struct str inside);

/* The code point of the escape at the start of s; *len gets its length.  Two
 * halves of a surrogate pair are one escape, half a pair alone is U+FFFD.
 * Negative for an invalid escape: minus the number of bytes that show it. */
long json_unescape_one(struct str s, size_t *len);

/* Appends s as the inside of a string.  Escapes what must be escaped, U+2028
 * and U+2029; with html also < > and &, as Go's encoder does.  Bytes that are
 * not UTF-8 become U+FFFD.  True: it could be written otherwise, too
 * (json_one_form in json.h). */
bool json_escape(struct buf *b, struct str s, bool html);
/* s as a JSON string without any control character: DEL, which JSON lets stand,
 * is escaped as well. */
void json_quote(struct buf *b, struct str s);

/* text.c: JSON text written again */

/* Valid JSON text again, in the layout of the writer: without white space, or
 * indented.  Its strings keep their escapes; with html they get the rest. */
void jw_text(struct jw *w, struct str json);

/* forms.c: may JSON text be written in another way? */

/* Is there one way alone to write the text without spaces?  Not with an escape
 * other than by a letter, a fraction, an exponent or many zeros; in doubt false
 * is the answer. */
bool json_one_form(struct str text);
/* Appends the number (JSON text) in the form that all texts of its value have:
 * whole ones by their digits, unless that takes many zeros. */
void json_number_form(struct buf *out, struct str number);

#endif
