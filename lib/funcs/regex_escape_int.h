/* regex_escape_int.h - single characters in regular expressions */
#ifndef TFPIPE_FUNCS_REGEX_ESCAPE_INT_H
#define TFPIPE_FUNCS_REGEX_ESCAPE_INT_H

#include "funcs/regex_int.h"

/* \... at the start of s, for a single character; returns its length, or 0
 * with *err filled (regex_escape.c). */
size_t regex_escape(struct str s, ucs4_t *ch, struct re_error *err);
/* Any character; its length. */
size_t regex_char(struct str s, ucs4_t *ch);

#endif
