/*
 * didyoumean.h - "did you mean": a name close to one that does not exist
 */
#ifndef TFPIPE_BASE_DIDYOUMEAN_H
#define TFPIPE_BASE_DIDYOUMEAN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* The first of names within an edit distance of 2 of given, else STR_NONE. */
struct str didyoumean(struct str given, const struct str *names, size_t n);
/* For words that people abbreviate: the one name that begins with given, else
 * didyoumean. */
struct str didyoumean_word(struct str given, const struct str *names, size_t n);
/* Asks after the name that didyoumean finds: " Did you mean "x"?", with a NUL
 * behind it; or "". */
struct str didyoumean_hint(struct arena *a, struct str given,
			   const struct str *names, size_t n);
/* Asks after a key of a map. */
struct str didyoumean_key(struct arena *a, struct str given,
			  const struct map *among);

#endif
