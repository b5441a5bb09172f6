/* regex_match_int.h - matching with PCRE2; see regex_int.h */
#ifndef TFPIPE_FUNCS_REGEX_MATCH_INT_H
#define TFPIPE_FUNCS_REGEX_MATCH_INT_H

#include "funcs/regex_int.h"

/* NULL with *err filled.  regex_free gives back what is not in the arena. */
struct regex *regex_compile(struct arena *a, struct str pattern,
			    struct re_error *err);
void regex_free(struct regex *re);
/* The leftmost match at `from` or later; slots[nslots] gets offsets into text,
 * SIZE_MAX where a capture took no part.  RE_TOO_LONG: a limit was hit. */
enum re_result regex_match(struct regex *re, struct str text, size_t from,
			   size_t *slots);

#endif
