/*
 * parser_int.h - what the parser's files share
 *
 * A recursive-descent parser with one token of lookahead, one function a
 * grammar rule.  Newlines matter in bodies and object constructors and nowhere
 * else: the parser remembers the newlines before the next token, and
 * p->newlines says whether they are to be seen.
 *
 * Every function returns a usable node; whether something went wrong in it
 * shows in the number of errors.  After an error that leaves the position
 * unclear, `recovery` is set: from then on errors that may only follow from
 * the first are not reported.
 */
#ifndef TFPIPE_LANG_PARSER_INT_H
#define TFPIPE_LANG_PARSER_INT_H

#include "base/vec.h"
#include "lang/syntax/lexer_int.h"
#include "lang/syntax/parse.h"

struct expr_list VEC_OF(struct expr *);
struct step_list VEC_OF(struct step);
struct item_list VEC_OF(struct object_item);
struct attr_list VEC_OF(struct attribute);
struct block_list VEC_OF(struct block);
struct label_list VEC_OF(struct label);

/* An atom of a template; see parse_template.c. */
enum part_kind {
	PART_TEXT,
	PART_EXPR,
	PART_IF,
	PART_FOR,
	PART_ELSE,
	PART_ENDIF,
	PART_ENDFOR,
	PART_END,
};

struct part {
	enum part_kind kind;
	struct span span;
	struct str text;                 /* PART_TEXT, escapes resolved */
	struct expr *expr;               /* value, condition or collection */
	struct str key_name, value_name; /* PART_FOR */
};

struct part_list VEC_OF(struct part);

struct parser {
	struct arena *a; /* the tree */
	struct arena scratch;
	const struct source *src;
	struct lexer lx;
	struct token tok; /* the next token that is not a newline */
	struct span newline, newline2; /* the first two newlines before it */
	uint32_t nnewlines;
	bool newlines;     /* are newlines seen here? */
	bool loose;        /* items need none between them (parse_loose) */
	struct token prev; /* consumed last */
	bool started;      /* anything was consumed */
	bool recovery;
	bool stopped; /* too deep: all that follows is silence */
	int depth;
	struct diags *out;
	struct diags lexical, syntax; /* reported in this order */
	struct {                      /* how often each was reported */
		int bitwise, backtick, apostrophe, semicolon, utf8;
	} told;
	/* Items of lists under construction; each rule pushes above the length
	 * it found and copies its items into the arena at its end. */
	struct expr_list exprs;
	struct step_list steps;
	struct item_list items;
	struct attr_list attrs;
	struct block_list blocks;
	struct label_list labels;
	struct part_list parts;
};

/* Reads part of src.  room: where the lists below begin, PARSER_ROOM bytes
 * aligned for anything, which most expressions need no more than. */
enum { PARSER_ROOM = 1024 };
void parser_init(struct parser *p, struct arena *a, void *room,
		 const struct source *src, struct span part, enum lex_mode mode,
		 struct diags *ds);
/* Hands the diagnostics over; returns -1 if there were errors. */
int parser_finish(struct parser *p);

/* --- tokens --- */
static inline enum tok parser_peek(const struct parser *p)
{
	return p->nnewlines && p->newlines ? T_NEWLINE : p->tok.type;
}
struct span parser_peek_span(const struct parser *p);
/* Consumes the next token and returns it. */
struct token parser_take(struct parser *p);
struct str span_text(const struct parser *p, struct span s);
/* Is the next token the word kw? */
bool parser_peek_word(const struct parser *p, const char *kw);
/* If the string whose opening quote comes next is plain, consumes it whole. */
bool parser_take_plain_string(struct parser *p, struct span *inside);

/* --- errors --- */
/* ctx may be NULL. */
void syntax_error(struct parser *p, struct span subject, const struct span *ctx,
		  const char *summary, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Were errors added since `before`, such that the position is unclear? */
static inline bool parser_failed_since(const struct parser *p, size_t before)
{
	return p->recovery && p->syntax.errors > before;
}
struct span span_between(struct span from, struct span to);
/* The closing token is missing: reports, and returns what recover finds, which
 * is what the report points at, as OpenTofu's does. */
struct token parser_missing_closer(struct parser *p, enum tok closer,
				   const char *summary, const char *detail);

/* Skips to the closing token that matches, counting nested pairs. */
struct token parser_recover(struct parser *p, enum tok closer);
/* Skips to the opener and past its closer. */
void parser_recover_over(struct parser *p, enum tok opener);
void parser_recover_after_item(struct parser *p);
enum tok tok_opposite(enum tok t);

/* --- depth: false (and everything stops) when too deep --- */
bool parser_enter(struct parser *p);
static inline void parser_leave(struct parser *p)
{
	p->depth--;
}

/* --- nodes --- */
/* A cleared node with room for its kind only; at most LANG_MAX_DEPTH high,
 * where `below` is the height of its content. */
struct expr *parser_new_expr(struct parser *p, enum expr_kind kind,
			     struct span span, unsigned below);
struct expr *parser_new_literal(struct parser *p, struct span span,
				const struct value *v);
/* Replaces an expression that could not be parsed. */
struct expr *parser_new_unknown(struct parser *p, struct span span);
struct expr *parser_new_string(struct parser *p, struct span span,
			       struct str text);

#endif
