/*
 * parser.c - the parser's tokens, errors, recovery and nodes; parser.c
 */
#include <stdarg.h>

#include "lang/syntax/parse.h"
#include "lang/syntax/syntax_int.h"

static void fetch(struct parser *p);

/* Ends reading and error reports. */
static void stop(struct parser *p)
{
	p->stopped = true;
	p->recovery = true;
	lexer_stop(&p->lx);
}

void parser_init(struct parser *p, struct arena *a, void *room,
		 const struct source *src, struct span part, enum lex_mode mode,
		 struct diags *ds)
{
	*p = (struct parser){
		.a = a,
		.scratch = { .cur = room, .end = (char *)room + PARSER_ROOM },
		.src = src,
		.newlines = true,
		.out = ds,
		.lexical = DIAGS_INIT(ds->arena),
		.syntax = DIAGS_INIT(ds->arena),
	};
	lexer_init(&p->lx, &p->scratch, src->text, part, mode);
	if (src->text.n >= UINT32_MAX) {
		diag_error(&p->syntax, NULL, "Source too large",
			   "%.*s is larger than 4 GiB.", STR_ARG(src->name));
		stop(p);
	}
	fetch(p);
}

int parser_finish(struct parser *p)
{
	size_t errors;

	/* Scan the tokens that the grammar did not reach: they may have lexical
	 * errors. */
	while (p->tok.type != T_EOF)
		fetch(p);
	errors = p->lexical.errors + p->syntax.errors;
	for (size_t i = 0; i < p->lexical.len; i++)
		diags_push(p->out, p->lexical.items[i]);
	for (size_t i = 0; i < p->syntax.len; i++)
		diags_push(p->out, p->syntax.items[i]);
	arena_release(&p->scratch);
	return errors ? -1 : 0;
}

/* --- tokens --- */

static bool too_many_errors(struct parser *p)
{
	if (p->stopped || p->lexical.len + p->syntax.len < LANG_MAX_ERRORS)
		return p->stopped;
	diag_error(&p->syntax, NULL, "Too many errors",
		   "%.*s has more than %d errors; the rest of it was not read.",
		   STR_ARG(p->src->name), LANG_MAX_ERRORS);
	stop(p);
	return true;
}

static void lexical_error(struct parser *p, const struct token *t,
			  const char *summary, const char *detail)
{
	struct range at = source_range(p->src, t->span);

	if (!too_many_errors(p))
		diag_error(&p->lexical, &at, summary, "%s", detail);
}

static void report_bitwise(struct parser *p, const struct token *t)
{
	if (p->told.bitwise++ >= 4)
		return;
	lexical_error(
		p, t, "Unsupported operator",
		t->type == T_BIT_AND
			? "There are no bitwise operators. Boolean AND is written \"&&\"."
		: t->type == T_BIT_OR
			? "There are no bitwise operators. Boolean OR is written \"||\"."
		: t->type == T_BIT_NOT
			? "There are no bitwise operators. Boolean NOT is written \"!\"."
			: "There are no bitwise operators.");
}

/* Quoting characters come in pairs: only the openers are reported. */
static bool tell_opener(int *told)
{
	bool tell = *told % 2 == 0;

	if (*told <= 2)
		(*told)++;
	return tell;
}

static void report_character(struct parser *p, const struct token *t)
{
	struct str s = span_text(p, t->span);
	const char *detail = "The language has no use for this character.";

	if (t->type == T_BACKTICK)
		detail = "\"`\" does not quote strings. A string of several "
			 "lines is written as a heredoc, such as \"<<EOT\".";
	else if (t->type == T_APOSTROPHE)
		detail =
			"Strings are enclosed in double quotes (\"), not in single ones.";
	else if (t->type == T_SEMICOLON)
		detail = "\";\" separates nothing here: arguments and blocks "
			 "end with a newline, items of a collection are "
			 "separated by commas.";
	else if (str_is(s, "\xe2\x80\x9c") || str_is(s, "\xe2\x80\x9d"))
		detail = "Typographic quotes do not enclose strings; they get "
			 "in when text is copied from documents. Use the "
			 "straight quote (\").";
	lexical_error(p, t, "Invalid character", detail);
}

/* Tokens that the language does not have at all. */
static void report_invalid(struct parser *p, const struct token *t)
{
	switch (t->type) {
	case T_BIT_AND:
	case T_BIT_OR:
	case T_BIT_NOT:
	case T_BIT_XOR:
		report_bitwise(p, t);
		break;
	case T_BACKTICK:
		if (tell_opener(&p->told.backtick))
			report_character(p, t);
		break;
	case T_APOSTROPHE:
		if (tell_opener(&p->told.apostrophe))
			report_character(p, t);
		break;
	case T_SEMICOLON:
		if (p->told.semicolon++ == 0)
			report_character(p, t);
		break;
	case T_BAD_UTF8:
		if (p->told.utf8++ == 0)
			lexical_error(
				p, t, "Invalid character encoding",
				"Source text must be UTF-8; this byte is not.");
		break;
	case T_QUOTED_NEWLINE:
		lexical_error(p, t, "Invalid multi-line string",
			      "A quoted string ends on the line it began on. "
			      "Write the line break as \\n, or use a heredoc.");
		break;
	default:
		report_character(p, t);
		break;
	}
}

/* Reads on to the next token that is neither comment nor newline. */
static void fetch(struct parser *p)
{
	p->nnewlines = 0;
	for (;;) {
		lexer_next(&p->lx, &p->tok);
		if (p->tok.type == T_COMMENT) {
			/* One that ends its line is a newline, too. */
			if (p->lx.text[p->tok.span.end - 1] != '\n')
				continue;
		} else if (p->tok.type != T_NEWLINE) {
			break;
		}
		if (p->nnewlines++ == 0)
			p->newline = p->tok.span;
		else if (p->nnewlines == 2)
			p->newline2 = p->tok.span;
	}
	if (p->tok.type >= T_BIT_AND)
		report_invalid(p, &p->tok);
}

struct span parser_peek_span(const struct parser *p)
{
	return p->nnewlines && p->newlines ? p->newline : p->tok.span;
}

struct token parser_take(struct parser *p)
{
	p->started = true;
	if (p->nnewlines && p->newlines) {
		p->prev = (struct token){ T_NEWLINE, p->newline };
		p->newline = p->newline2;
		p->nnewlines--;
		return p->prev;
	}
	p->prev = p->tok;
	if (p->tok.type == T_EOF)
		p->nnewlines = 0;
	else
		fetch(p);
	return p->prev;
}

struct str span_text(const struct parser *p, struct span s)
{
	return str_sub(p->src->text, s.start, s.end);
}

bool parser_peek_word(const struct parser *p, const char *kw)
{
	return parser_peek(p) == T_IDENT &&
	       str_is(span_text(p, p->tok.span), kw);
}

bool parser_take_plain_string(struct parser *p, struct span *inside)
{
	if (parser_peek(p) != T_OQUOTE || !lexer_plain_string(&p->lx, inside))
		return false;
	p->started = true;
	p->prev = (struct token){ T_CQUOTE, { inside->end, inside->end + 1 } };
	fetch(p);
	return true;
}

/* --- errors --- */

struct span span_between(struct span from, struct span to)
{
	return (struct span){ from.start, to.end };
}

void syntax_error(struct parser *p, struct span subject, const struct span *ctx,
		  const char *summary, const char *fmt, ...)
{
	struct diag d = { .severity = SEV_ERROR, .summary = str_c(summary) };
	va_list ap;

	if (too_many_errors(p))
		return;
	va_start(ap, fmt);
	d.detail = str_c(arena_vprintf(p->syntax.arena, fmt, ap));
	va_end(ap);
	d.subject = source_range(p->src, subject);
	if (ctx)
		d.context = source_range(p->src, *ctx);
	diags_push(&p->syntax, d);
}

enum tok tok_opposite(enum tok t)
{
	switch (t) {
	case T_OBRACE:
		return T_CBRACE;
	case T_OBRACK:
		return T_CBRACK;
	case T_OPAREN:
		return T_CPAREN;
	case T_OQUOTE:
		return T_CQUOTE;
	case T_OHEREDOC:
		return T_CHEREDOC;
	case T_CBRACE:
		return T_OBRACE;
	case T_CBRACK:
		return T_OBRACK;
	case T_CPAREN:
		return T_OPAREN;
	case T_CQUOTE:
		return T_OQUOTE;
	case T_CHEREDOC:
		return T_OHEREDOC;
	case T_INTERP:
	case T_CONTROL:
		return T_SEQ_END;
	case T_SEQ_END:
		return T_INTERP;
	default:
		return T_EOF;
	}
}

struct token parser_recover(struct parser *p, enum tok closer)
{
	enum tok opener = tok_opposite(closer);
	size_t nest = 0;

	p->recovery = true;
	for (;;) {
		struct token t = parser_take(p);
		enum tok type = t.type;

		if (closer == T_SEQ_END && type == T_CONTROL)
			type = T_INTERP;
		if (type == T_EOF)
			return t;
		if (type == opener)
			nest++;
		else if (type == closer && nest-- == 0)
			return t;
	}
}

struct token parser_missing_bracket(struct parser *p, const char *summary,
				    const char *detail)
{
	struct token t = parser_recover(p, T_CBRACK);

	syntax_error(p, t.span, NULL, summary, "%s", detail);
	return t;
}

void parser_recover_over(struct parser *p, enum tok opener)
{
	struct token t;

	do
		t = parser_take(p);
	while (t.type != opener && t.type != T_EOF);
	parser_recover(p, tok_opposite(opener));
}

static bool is_opener(enum tok t)
{
	switch (t) {
	case T_OBRACE:
	case T_OBRACK:
	case T_OPAREN:
	case T_OQUOTE:
	case T_OHEREDOC:
	case T_INTERP:
	case T_CONTROL:
		return true;
	default:
		return false;
	}
}

static bool closes(enum tok opener, enum tok closer)
{
	return tok_opposite(opener) == closer;
}

/* Skips to the end of the line, or of the last line of brackets open on it. */
void parser_recover_after_item(struct parser *p)
{
	VEC(uint8_t) open = { 0 };

	p->recovery = true;
	for (;;) {
		enum tok t = parser_take(p).type;

		if (t == T_EOF || (t == T_NEWLINE && open.len == 0))
			return;
		if (is_opener(t)) {
			vec_push(&p->scratch, &open, (uint8_t)t);
		} else if (tok_opposite(t) != T_EOF) {
			while (open.len && !closes(open.items[open.len - 1], t))
				open.len--;
			if (open.len)
				open.len--;
		}
	}
}

bool parser_enter(struct parser *p)
{
	if (p->depth >= LANG_MAX_DEPTH) {
		syntax_error(
			p, parser_peek_span(p), NULL, "Nesting too deep",
			"Expressions and blocks may be nested at most %d levels deep.",
			LANG_MAX_DEPTH);
		stop(p);
		fetch(p);
		return false;
	}
	p->depth++;
	return true;
}

/* --- nodes --- */

#define UP_TO(member) \
	(offsetof(struct expr, member) + sizeof(((struct expr *)NULL)->member))

static size_t expr_size(enum expr_kind kind)
{
	switch (kind) {
	case EXPR_LITERAL:
		return UP_TO(literal);
	case EXPR_SCOPE:
		return UP_TO(scope);
	case EXPR_GET_ATTR:
	case EXPR_INDEX:
		return UP_TO(get);
	case EXPR_SPLAT:
		return UP_TO(splat);
	case EXPR_SPLAT_ITEM:
		return UP_TO(span);
	case EXPR_CALL:
		return UP_TO(call);
	case EXPR_CONDITIONAL:
		return UP_TO(conditional);
	case EXPR_UNARY:
	case EXPR_BINARY:
		return UP_TO(op);
	case EXPR_OBJECT:
		return UP_TO(object);
	case EXPR_FOR:
	case EXPR_FOR_TEMPLATE:
		return UP_TO(for_);
	case EXPR_TEMPLATE:
	case EXPR_TUPLE:
	case EXPR_WRAP:
	case EXPR_PARENS:
		return UP_TO(nitems);
	case EXPR_JSON:
		break;
	}
	return sizeof(struct expr);
}

struct expr *expr_new(struct arena *a, enum expr_kind kind, struct span span)
{
	struct expr *e = arena_alloc0(a, expr_size(kind));

	e->kind = kind;
	e->span = span;
	return e;
}

struct expr *parser_new_expr(struct parser *p, enum expr_kind kind,
			     struct span span, unsigned below)
{
	struct expr *e = expr_new(p->a, kind, span);

	e->height = (uint16_t)(below + 1);
	if (e->height > LANG_MAX_DEPTH) {
		int depth = p->depth;

		p->depth = LANG_MAX_DEPTH;
		parser_enter(p);
		p->depth = depth;
		return parser_new_unknown(p, span);
	}
	return e;
}

struct expr *parser_new_literal(struct parser *p, struct span span,
				const struct value *v)
{
	struct expr *e = parser_new_expr(p, EXPR_LITERAL, span, 0);

	e->literal = v;
	return e;
}

struct expr *parser_new_unknown(struct parser *p, struct span span)
{
	return parser_new_literal(p, span, &value_unknown_dynamic);
}

struct expr *parser_new_string(struct parser *p, struct span span,
			       struct str text)
{
	return parser_new_literal(p, span, value_string(p->a, text));
}
