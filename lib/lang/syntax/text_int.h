/*
 * text_int.h - white space in template text, as Unicode defines it
 */
#ifndef TFPIPE_LANG_TEXT_INT_H
#define TFPIPE_LANG_TEXT_INT_H

#include "base/str.h"

/* s without the white space (newlines included) at one end. */
struct str text_trim_left(struct str s);
struct str text_trim_right(struct str s);

/* Grapheme clusters in s, and the bytes that the first n of them take. */
size_t text_columns(struct str s);
size_t text_column_bytes(struct str s, size_t n);

/* A name among `names` (NULL ends) less than three edits away from `given`;
 * the first such one, or NULL: what "Did you mean" offers. */
const char *text_suggest(struct str given, const char *const *names);

#endif
