/*
 * lexer.c - tokens: in every mode they come in order, lie in the text, and
 * leave out nothing but spaces and tabs, and a byte order mark that begins it
 */
#include "fuzz.h"
#include "lang/syntax/lexer.h"

static void tokens(struct arena *a, struct str text, enum lex_mode mode)
{
	struct lexer lx;
	struct token t;
	uint32_t end = str_starts(text, "\xef\xbb\xbf") ? 3 : 0;

	lexer_init(&lx, a, text, (struct span){ 0, (uint32_t)text.n }, mode);
	do {
		lexer_next(&lx, &t);
		FUZZ_HOLDS(t.span.start >= end && t.span.end >= t.span.start);
		FUZZ_HOLDS(t.span.end <= text.n);
		for (; end < t.span.start; end++)
			FUZZ_HOLDS(text.p[end] == ' ' || text.p[end] == '\t');
		FUZZ_HOLDS(t.span.end > end || t.type == T_EOF ||
			   t.type == T_CHEREDOC);
		end = t.span.end;
	} while (t.type != T_EOF);
	FUZZ_HOLDS(end == text.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct str text = { (const char *)data, size };

	tokens(&a, text, LEX_MAIN);
	tokens(&a, text, LEX_BARE);
	arena_release(&a);
	return 0;
}
