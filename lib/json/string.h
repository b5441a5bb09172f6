/*
 * string.h - the inside of a JSON string: escaped, and with its escapes undone
 *
 * Only this module knows the syntax of escapes.  json_unescape reads a whole
 * string; json_unescape_one serves callers that report errors in one.
 */
#ifndef TFPIPE_JSON_STRING_H
#define TFPIPE_JSON_STRING_H

#include "base/str.h"

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

#endif
