/*
 * string.h - what the language does to text: NFC, safe prefixes, quoting
 */
#ifndef TFPIPE_VALUE_STRING_H
#define TFPIPE_VALUE_STRING_H

#include "base/str.h"

/* Only ASCII, hence in NFC whatever it is next to. */
bool str_is_plain(struct str s);

/* s in NFC: s itself when it is already, else a copy in the arena.  Invalid
 * UTF-8 is passed through. */
struct str str_nfc(struct arena *a, struct str s);

/* s with each byte that is not part of valid UTF-8 replaced by U+FFFD; s itself
 * when there is none. */
struct str str_utf8_repair(struct arena *a, struct str s);

/* The part of s that stays as it is whatever text follows: without the last
 * character if a following one could combine with it into another grapheme
 * cluster.  The result is NFC; it is what an unknown string's prefix may
 * hold. */
struct str str_safe_prefix(struct arena *a, struct str s);

/* Between double quotes with Go's escapes (strconv.Quote): how the console and
 * a few messages show strings. */
void str_quote(struct buf *b, struct str s);

#endif
