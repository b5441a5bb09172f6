/* brackets.c - what is still open at the end of a line; see parse.h */
#include "lang/syntax/parse.h"
#include "lang/syntax/lexer.h"

void text_brackets(struct str text, int open[3])
{
	struct arena scratch = ARENA_INIT;
	struct lexer lx;
	struct token t;

	lexer_init(&lx, &scratch, text, (struct span){ 0, (uint32_t)text.n },
		   LEX_MAIN);
	do {
		lexer_next(&lx, &t);
		open[0] += (t.type == T_OBRACE) - (t.type == T_CBRACE);
		open[1] += (t.type == T_OBRACK) - (t.type == T_CBRACK);
		open[2] += (t.type == T_OPAREN) - (t.type == T_CPAREN);
	} while (t.type != T_EOF);
	arena_release(&scratch);
}
