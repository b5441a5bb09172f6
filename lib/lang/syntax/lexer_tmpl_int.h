/* lexer_tmpl_int.h - tokens inside of strings, heredocs and bare templates */
#ifndef TFPIPE_LANG_LEXER_TMPL_INT_H
#define TFPIPE_LANG_LEXER_TMPL_INT_H

#include "lang/syntax/lexer_int.h"

/* Just after T_OQUOTE: if the string is plain (no escape, no template
 * sequence, valid, closed on its line), consumes it with the closing quote
 * and sets *inside to its content; else changes nothing. */
bool lexer_plain_string(struct lexer *lx, struct span *inside);
void lexer_template(struct lexer *lx, struct token *t);

#endif
