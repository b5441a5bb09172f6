/* parse_expr_int.h - operators and traversals */
#ifndef TFPIPE_LANG_PARSE_EXPR_INT_H
#define TFPIPE_LANG_PARSE_EXPR_INT_H

#include "lang/syntax/parser_int.h"

/* --- grammar --- */
struct expr *parse_expr(struct parser *p);
struct expr *parse_operand(struct parser *p); /* term with its traversal */
struct expr *parse_traversals(struct parser *p, struct expr *from);

#endif
