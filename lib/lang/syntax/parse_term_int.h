/* parse_term_int.h - what operators and traversals work on */
#ifndef TFPIPE_LANG_PARSE_TERM_INT_H
#define TFPIPE_LANG_PARSE_TERM_INT_H

#include "lang/syntax/parser_int.h"

struct expr *parse_term(struct parser *p);
const struct value *parse_number(struct parser *p, struct token t);

#endif
