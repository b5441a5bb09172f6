/* grapheme.h - grapheme clusters; see source.h */
#ifndef TFPIPE_BASE_GRAPHEME_H
#define TFPIPE_BASE_GRAPHEME_H

#include "base/str.h"

/* Grapheme clusters: the length in bytes of the first cluster of s (1 for an
 * invalid byte).  Wraps libunistring; ASCII is fast. */
size_t grapheme_len(struct str s);

#endif
