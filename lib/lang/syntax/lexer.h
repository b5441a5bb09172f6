/*
 * lexer.h - source text to tokens, one at a time
 *
 * Needs no help from the parser: the lexer keeps its own stack of what it is
 * inside of (expressions, quoted strings, heredocs).  Tokens cover the text
 * without gaps other than spaces and tabs.  Everything is a token, what is
 * invalid too: the parser reports those (parser.c, report_invalid), the
 * formatter never sees them.
 */
#ifndef TFPIPE_LANG_SYNTAX_LEXER_H
#define TFPIPE_LANG_SYNTAX_LEXER_H

#include "base/source.h"

enum tok {
	T_EOF,
	T_NEWLINE,
	T_COMMENT, /* # and // comments include the newline that ends them */
	T_IDENT,
	T_NUMBER,
	T_OBRACE,
	T_CBRACE,
	T_OBRACK,
	T_CBRACK,
	T_OPAREN,
	T_CPAREN,
	T_OQUOTE,
	T_CQUOTE,
	T_OHEREDOC,   /* <<NAME or <<-NAME with its newline */
	T_CHEREDOC,   /* the closing name and spaces around it */
	T_INTERP,     /* ${ or ${~ */
	T_CONTROL,    /* %{ or %{~ */
	T_SEQ_END,    /* } or ~} */
	T_QUOTED_LIT, /* may hold backslash escapes */
	T_STRING_LIT, /* in heredocs and bare templates: may not */
	T_STAR,
	T_SLASH,
	T_PERCENT,
	T_PLUS,
	T_MINUS,
	T_EQUAL, /* = */
	T_EQ,    /* == */
	T_NE,
	T_LT,
	T_LE,
	T_GT,
	T_GE,
	T_AND,
	T_OR,
	T_BANG,
	T_DOT,
	T_COMMA,
	T_DCOLON,
	T_ELLIPSIS,
	T_FAT_ARROW,
	T_QUESTION,
	T_COLON,
	/* Never part of the language: */
	T_BIT_AND,
	T_BIT_OR,
	T_BIT_NOT,
	T_BIT_XOR,
	T_APOSTROPHE,
	T_BACKTICK,
	T_SEMICOLON,
	T_INVALID,
	T_BAD_UTF8,
	T_QUOTED_NEWLINE,
};

struct token {
	enum tok type;
	struct span span;
};

enum lex_mode {
	LEX_MAIN,
	LEX_STRING,
	LEX_HEREDOC,
	LEX_BARE, /* a whole source that is a template */
};

struct lex_frame {
	uint8_t mode;
	bool line_start;    /* heredoc: at the start of a line */
	uint32_t braces;    /* main: open braces since it began */
	struct span marker; /* heredoc: its name */
};

struct lexer {
	const char *text;
	uint32_t len, pos;
	struct arena *arena; /* for frames beyond the first few */
	struct lex_frame *frames;
	uint32_t depth, cap; /* frames in use, at least one */
	/* A heredoc may be closed by its name at the very end of the text,
	 * without a newline: the text was cut out of a file. */
	bool fragment;
	uint32_t no_comment_end; /* no star-slash from here on; len: unknown */
	struct lex_frame few[16];
};

/* Reads text[part]. */
void lexer_init(struct lexer *lx, struct arena *a, struct str text,
		struct span part, enum lex_mode mode);
/* The next token; T_EOF again and again at the end. */
void lexer_next(struct lexer *lx, struct token *t);
/* Just after T_OQUOTE: if the string is plain (no escape, no template
 * sequence, valid, closed on its line), consumes it with the closing quote
 * and sets *inside to its content; else changes nothing. */
bool lexer_plain_string(struct lexer *lx, struct span *inside);
/* Skips all that is left: what follows is T_EOF. */
void lexer_stop(struct lexer *lx);

#endif
