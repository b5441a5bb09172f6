/* parse_body_int.h - arguments and blocks */
#ifndef TFPIPE_LANG_PARSE_BODY_INT_H
#define TFPIPE_LANG_PARSE_BODY_INT_H

#include "lang/syntax/parser_int.h"

struct body *parse_body(struct parser *p, enum tok end);

#endif
