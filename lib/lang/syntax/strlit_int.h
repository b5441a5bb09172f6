/*
 * strlit_int.h - the text of literal tokens: escapes, and strings that may not
 * hold template sequences (block labels, index keys)
 */
#ifndef TFPIPE_LANG_STRLIT_INT_H
#define TFPIPE_LANG_STRLIT_INT_H

#include "lang/syntax/parser_int.h"

/* "text" without template sequences: block labels, index keys. */
struct str parse_plain_literal(struct parser *p, struct span *span);
/* The text of a literal token, escapes resolved. */
struct str parser_literal_text(struct parser *p, struct token t);

#endif
