/* syntax_int.h - what the files of this room share */
#ifndef TFPIPE_LANG_SYNTAX_SYNTAX_INT_H
#define TFPIPE_LANG_SYNTAX_SYNTAX_INT_H

#include "lang/syntax/body.h"
#include "lang/syntax/json_syntax.h"
#include "base/source.h"
#include "base/vec.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parse.h"
#include "base/str.h"

/* body.c: what the kinds of bodies share */

/* The items that earlier reads consumed, the last read first: all that a schema
 * names, or these names. */
struct body_hidden {
	const struct body_hidden *before;
	struct body_schema schema;
	struct map names; /* mapped to anything */
};

/* b without what the schema names. */
struct body *body_without(struct arena *a, const struct body *b,
			  const struct body_schema *schema);

const struct attr_schema *schema_attr(const struct body_schema *s,
				      struct str name);
const struct block_schema *schema_block(const struct body_schema *s,
					struct str type);

void body_missing_argument(const struct body *b, const char *name,
			   struct diags *ds);

/* body_json.c: JSON bodies: a schema says what the properties are */

/* The answers by kind; rest may be NULL, strict means body_content. */
int json_body_read(struct arena *a, const struct body *b,
		   const struct body_schema *schema, struct body_content *out,
		   struct body **rest, bool strict, struct diags *ds);
int json_body_attributes(struct arena *a, const struct body *b,
			 struct attribute_vec *out, struct diags *ds);
/* The body that a node of src is (json_body.c). */
struct body *json_body(struct arena *a, const struct source *src,
		       struct json_node *n);

/* body_merge.c: two bodies that answer as one */

int body_merged_read(struct arena *a, const struct body *b,
		     const struct body_schema *schema, struct body_content *out,
		     struct body **rest, bool strict, struct diags *ds);
int body_merged_attributes(struct arena *a, const struct body *b,
			   struct attribute_vec *out, struct diags *ds);

/* ident.c: which characters make an identifier */

/* Length of the valid non-ASCII identifier character at s, or 0. */
size_t ident_char(const char *s, size_t n, bool first);

/*
 * parser.c: what the parser's files share
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
/* The closing bracket is missing: reports, and returns what recover finds,
 * which is what the report points at, as OpenTofu's does. */
struct token parser_missing_bracket(struct parser *p, const char *summary,
				    const char *detail);

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

/* parse_body.c: arguments and blocks */

struct body *parse_body(struct parser *p, enum tok end);

/* parse_call.c: function calls */

struct expr *parse_call(struct parser *p, struct token name);

/* parse_coll.c: tuples, objects and for expressions */

struct expr *parse_tuple(struct parser *p);
struct expr *parse_object(struct parser *p);

/* parse_expr.c: operators and traversals */

/* --- grammar --- */
struct expr *parse_expr(struct parser *p);
struct expr *parse_operand(struct parser *p); /* term with its traversal */

/*
 * parse_template.c: quoted strings with sequences, heredocs, whole
 * templates
 */

/* After the opening token; up to and including `end`. */
struct expr *parse_template_parts(struct parser *p, enum tok end, bool flush,
				  struct span open);

/* parse_term.c: what operators and traversals work on */

struct expr *parse_term(struct parser *p);
const struct value *parse_number(struct parser *p, struct token t);

/*
 * strlit.c: the text of literal tokens: escapes, and strings that may not
 * hold template sequences (block labels, index keys)
 */

/* "text" without template sequences: block labels, index keys. */
struct str parse_plain_literal(struct parser *p, struct span *span);
/* The text of a literal token, escapes resolved. */
struct str parser_literal_text(struct parser *p, struct token t);

/* template_tree.c: from the parts of a template to its tree */

/* Takes the common indent off the lines of p->parts from base on (<<-). */
void template_flush(struct parser *p, size_t base);
/* The tree of the parts from base on, which end with PART_END. */
struct expr *template_tree(struct parser *p, size_t base, struct span span);

/* syntax_text.c: white space in template text, as Unicode defines it */

/* s without the white space (newlines included) at one end. */
struct str text_trim_left(struct str s);
struct str text_trim_right(struct str s);

/* Grapheme clusters in s, and the bytes that the first n of them take. */
size_t text_columns(struct str s);
size_t text_column_bytes(struct str s, size_t n);

/* A name among `names` (NULL ends) less than three edits away from `given`;
 * the first such one, or NULL: what "Did you mean" offers. */
const char *text_suggest(struct str given, const char *const *names);

/* lexer.c: what its two files share */

void lexer_push(struct lexer *lx, enum lex_mode mode);

static inline struct lex_frame *lexer_top(struct lexer *lx)
{
	return &lx->frames[lx->depth - 1];
}

/* lexer_tmpl.c: tokens inside of strings, heredocs and bare templates */

void lexer_template(struct lexer *lx, struct token *t);

/* json_syntax.c: what the two files of the JSON reader share */

enum json_tok {
	J_EOF = 'E',
	J_STRING = 's',
	J_NUMBER = 'n',
	J_WORD = 'w',
	J_INVALID = '?', /* punctuation is its own token */
};

struct json_node_list VEC_OF(struct json_node);
struct json_prop_list VEC_OF(struct json_prop);

struct json_reader {
	struct arena *a;
	struct arena scratch;
	const struct source *src;
	struct diags *ds;
	uint32_t pos, end; /* nothing is read beyond end */
	int tok;           /* the next token */
	struct span span;
	int depth, errors;
	struct json_node_list items; /* under construction */
	struct json_prop_list props;
};

/* json_scalar.c: the next token, of that kind, as a value. */
struct json_node json_read_string(struct json_reader *r);
struct json_node json_read_number(struct json_reader *r);
struct json_node json_read_word(struct json_reader *r);

/* The next token's span; goes on to the one after it. */
struct span json_take(struct json_reader *r);
/* Reports; the node is invalid. */
struct json_node json_fail(struct json_reader *r, struct span at,
			   const char *summary, const char *detail);

#endif
