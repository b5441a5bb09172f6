/* parser.h - the parser's tokens, errors, recovery and nodes; parser_int.h */
#ifndef TFPIPE_LANG_PARSER_H
#define TFPIPE_LANG_PARSER_H

#include "lang/syntax/ast.h"

/* A cleared node with room for its kind only. */
struct expr *expr_new(struct arena *a, enum expr_kind kind, struct span span);

#endif
