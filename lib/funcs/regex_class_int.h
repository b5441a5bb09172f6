/* regex_class_int.h - sets of characters, written for PCRE2; see regex_int.h */
#ifndef TFPIPE_FUNCS_REGEX_CLASS_INT_H
#define TFPIPE_FUNCS_REGEX_CLASS_INT_H

#include "funcs/regex_parse_int.h"

/* lo to hi, but for the surrogates, which are in no text. */
void class_range(struct buf *b, ucs4_t lo, ucs4_t hi);
/* \d \s \w and, by capital letters, their opposites; false for others.
 * fold: regardless of case. */
bool class_perl(struct buf *b, char letter, bool fold);
/* The name between [: and :], which may begin with ^; false: unknown. */
bool class_posix(struct buf *b, struct str name, bool fold);
/* The name in \p{...}: a category or a script, with ^ or not. */
bool class_unicode(struct arena *a, struct buf *b, struct str name, bool negate,
		   bool fold);
/* [...] of what is in b, which is emptied. */
void class_close(struct buf *out, struct buf *b, bool negate, bool fold);

#endif
