/* regex_repeat_int.h - repetition in regular expressions: * + ? {n,m} */
#ifndef TFPIPE_FUNCS_REGEX_REPEAT_INT_H
#define TFPIPE_FUNCS_REGEX_REPEAT_INT_H

#include "funcs/regex_parse_int.h"

/* Reads a repetition operator at p->s, if there is one, and applies it to the
 * last item (NULL: none).  *last: the operator before, which another must not
 * directly follow (p NULL: none).  1: done; 0: there is none; -1. */
int regex_repetition(struct re_parser *p, struct re_item *item,
		     struct str *last);

#endif
