/*
 * regex.h - regular expressions: RE2's language on PCRE2
 *
 * The documented language is RE2: Perl's expressions without back references
 * and look-around, matched leftmost-first.  A pattern is read by that grammar,
 * and what it does not know is refused in its words; PCRE2 then gets a pattern
 * written for it, in which nothing depends on PCRE2's options, and matches it
 * within limits.
 *
 * Differences in what the two match:
 *   $ is the very end of the text (\z); \s has no vertical tab.
 *   A repetition of something that can be empty, (a|b*)*: PCRE2 leaves it after
 *   any empty round, RE2 has no empty round but the first.  A callout at the
 *   end of each round refuses the others; to tell, empty groups note where the
 *   repetition and the round began.
 * Not covered: {n,} with n >= 2 of something that can be empty keeps PCRE2's
 * last round; \p{Lu}, \p{Ll} and \p{Lt} under (?i) are all cased letters; what
 * backtracks too long is an error.
 */
#ifndef TFPIPE_FUNCS_REGEX_REGEX_H
#define TFPIPE_FUNCS_REGEX_REGEX_H

#include <unitypes.h>

#include "base/str.h"
#include "base/vec.h"

struct name_vec VEC_OF(struct str);

struct re_error {
	const char *what;
	struct str where; /* the part of the pattern concerned */
};

struct regex {
	struct name_vec names;
	size_t nslots; /* 2 for the match and 2 a capture */
	struct re_engine *engine;
};

enum re_result { RE_NO_MATCH, RE_MATCH, RE_TOO_LONG };

/* NULL with *err filled.  regex_free gives back what is not in the arena. */
struct regex *regex_compile(struct arena *a, struct str pattern,
			    struct re_error *err);
void regex_free(struct regex *re);
/* The leftmost match at `from` or later; slots[nslots] gets offsets into text,
 * SIZE_MAX where a capture took no part.  RE_TOO_LONG: a limit was hit. */
enum re_result regex_match(struct regex *re, struct str text, size_t from,
			   size_t *slots);

/* Any character at the start of s; its length. */
size_t regex_char(struct str s, ucs4_t *ch);

#endif
