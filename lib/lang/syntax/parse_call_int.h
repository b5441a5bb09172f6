/* parse_call_int.h - function calls */
#ifndef TFPIPE_LANG_PARSE_CALL_INT_H
#define TFPIPE_LANG_PARSE_CALL_INT_H

#include "lang/syntax/parser_int.h"

struct expr *parse_call(struct parser *p, struct token name);

#endif
