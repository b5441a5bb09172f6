/*
 * parse_term.c - what operators and traversals work on
 *
 *	term = number | template | name | call | "(" expression ")"
 *	     | ("-" | "!") operand | tuple | object | for
 */
#include "lang/syntax/syntax_int.h"
#include "value/number.h"

static struct expr *parse_parens(struct parser *p)
{
	size_t before = p->syntax.errors;
	bool newlines = p->newlines;
	struct span open = parser_take(p).span, ctx;
	struct expr *inner, *e;

	p->newlines = false;
	inner = parse_expr(p);
	if (p->syntax.errors > before) {
		/* Past our own parenthesis, where an expression may go on. */
		parser_recover(p, T_CPAREN);
		p->newlines = newlines;
		return inner;
	}
	if (parser_peek(p) != T_CPAREN) {
		ctx = span_between(open, parser_peek_span(p));
		syntax_error(p, parser_peek_span(p), &ctx,
			     "Unbalanced parentheses",
			     "\")\" is expected here, to end the expression.");
		p->recovery = true;
	}
	parser_take(p);
	p->newlines = newlines;
	e = parser_new_expr(p, EXPR_PARENS, span_between(open, p->prev.span),
			    inner->height);
	if (e->kind == EXPR_PARENS) {
		e->items = arena_dup(p->a, &inner, sizeof(inner));
		e->nitems = 1;
	}
	return e;
}

const struct value *parse_number(struct parser *p, struct token t)
{
	struct str text = span_text(p, t.span);
	const struct value *v = value_number_parse(p->a, text);

	if (v)
		return v;
	syntax_error(p, t.span, NULL, "Invalid number literal",
		     "\"%.*s\" is not a number.", STR_ARG(text));
	return value_unknown(p->a, &type_number);
}

static struct expr *parse_name(struct parser *p)
{
	struct token t = parser_take(p);
	struct str name = span_text(p, t.span);
	struct expr *e;

	if (parser_peek(p) == T_OPAREN || parser_peek(p) == T_DCOLON)
		return parse_call(p, t);
	if (str_is(name, "true"))
		return parser_new_literal(p, t.span, &value_true);
	if (str_is(name, "false"))
		return parser_new_literal(p, t.span, &value_false);
	if (str_is(name, "null"))
		return parser_new_literal(p, t.span, &value_null_dynamic);
	e = parser_new_expr(p, EXPR_SCOPE, t.span, 0);
	e->scope.root = name;
	e->scope.root_span = t.span;
	return e;
}

static struct expr *parse_string(struct parser *p)
{
	struct span inside;
	struct token open;
	bool flush;

	if (parser_take_plain_string(p, &inside))
		return parser_new_string(
			p, (struct span){ inside.start - 1, inside.end + 1 },
			span_text(p, inside));
	open = parser_take(p);
	flush = open.type == T_OHEREDOC &&
		p->src->text.p[open.span.start + 2] == '-';
	return parse_template_parts(p, tok_opposite(open.type), flush,
				    open.span);
}

static struct expr *parse_unary(struct parser *p)
{
	struct token t = parser_take(p);
	struct expr *operand, *e;

	if (!parser_enter(p))
		return parser_new_unknown(p, t.span);
	operand = parse_operand(p); /* binds closer than any operator */
	parser_leave(p);
	e = parser_new_expr(p, EXPR_UNARY, span_between(t.span, operand->span),
			    operand->height);
	if (e->kind != EXPR_UNARY)
		return e;
	e->op.op = t.type == T_MINUS ? OP_NEG : OP_NOT;
	e->op.op_span = t.span;
	e->op.left = operand;
	return e;
}

static struct expr *no_term(struct parser *p)
{
	struct span at = parser_peek_span(p);

	if (p->recovery)
		;
	else if (parser_peek(p) == T_EOF)
		syntax_error(
			p, at, NULL, "Missing expression",
			"The source ends where an expression should begin.");
	else
		syntax_error(p, at, NULL, "Invalid expression",
			     "No expression begins with this.");
	p->recovery = true;
	return parser_new_unknown(p, at);
}

struct expr *parse_term(struct parser *p)
{
	struct token t;

	switch (parser_peek(p)) {
	case T_OPAREN:
		return parse_parens(p);
	case T_NUMBER:
		t = parser_take(p);
		return parser_new_literal(p, t.span, parse_number(p, t));
	case T_IDENT:
		return parse_name(p);
	case T_OQUOTE:
	case T_OHEREDOC:
		return parse_string(p);
	case T_MINUS:
	case T_BANG:
		return parse_unary(p);
	case T_OBRACK:
		return parse_tuple(p);
	case T_OBRACE:
		return parse_object(p);
	default:
		return no_term(p);
	}
}
