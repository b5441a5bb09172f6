/*
 * regex_bracket_int.h - classes of characters in regular expressions: [...],
 * \d, \pL
 */
#ifndef TFPIPE_FUNCS_REGEX_BRACKET_INT_H
#define TFPIPE_FUNCS_REGEX_BRACKET_INT_H

#include "funcs/regex_parse_int.h"

/* [...] at p->s, \pL or \p{...}, \d.  1: written; 0: there is none; -1. */
int regex_bracket(struct re_parser *p);
int regex_unicode_class(struct re_parser *p);
int regex_perl_class(struct re_parser *p);

#endif
