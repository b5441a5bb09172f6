/*
 * string.h - the inside of a JSON string: escaped, and with its escapes undone
 *
 * Nobody else knows how escapes are written.  Who reads a whole string has
 * json_unescape; who says what is wrong with it has json_unescape_one.
 */
#ifndef TFPIPE_JSON_STRING_H
#define TFPIPE_JSON_STRING_H

#include "base/str.h"

/* The inside of a string (what stands between its quotes) with its escapes
 * undone, in the arena.  STR_NONE if one of them is none of JSON's. */
struct str json_unescape(struct arena *a, struct str inside);

/* The code point of the escape with which s begins; *len gets its length.  Two
 * halves of a surrogate pair are one escape, half a pair alone is U+FFFD.
 * Negative where it is none of JSON's: how many bytes it takes to see that. */
long json_unescape_one(struct str s, size_t *len);

/* Appends s as the inside of a string.  Escaped is what must be, and U+2028
 * and U+2029; with html also < > and &, as Go's encoder does it.  Bytes that
 * are not UTF-8 become U+FFFD.  True: written in a way that is not the only
 * one (json_one_form in json.h). */
bool json_escape(struct buf *b, struct str s, bool html);

#endif
