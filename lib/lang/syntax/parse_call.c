/*
 * parse_call.c - function calls
 *
 *	call = name { "::" name } "(" [ expression { "," expression }
 *	       [ "," | "..." ] ] ")"
 */
#include "lang/syntax/syntax_int.h"

/* The function's name with its namespaces; false after an error, with *open
 * the token at fault. */
static bool call_name(struct parser *p, struct token first, struct str *name,
		      struct span *span, struct token *open)
{
	struct span ctx;

	*name = span_text(p, first.span);
	*span = first.span;
	*open = parser_take(p);
	while (open->type == T_DCOLON) {
		struct token t = parser_take(p);

		if (t.type != T_IDENT) {
			ctx = span_between(first.span, t.span);
			syntax_error(
				p, t.span, &ctx, "Missing function name",
				"\"::\" must be followed by the name of a function.");
			*open = t;
			return false;
		}
		*name = str_printf(p->a, "%.*s::%.*s", STR_ARG(*name),
				   STR_ARG(span_text(p, t.span)));
		span->end = t.span.end;
		*open = parser_take(p);
	}
	if (open->type == T_OPAREN)
		return true;
	ctx = span_between(first.span, open->span);
	syntax_error(p, open->span, &ctx, "Missing open parenthesis",
		     "The name of a function must be followed by \"(\".");
	return false;
}

static struct token after_ellipsis(struct parser *p, struct token name,
				   struct token dots)
{
	struct span ctx = span_between(name.span, dots.span);

	if (parser_peek(p) == T_CPAREN)
		return parser_take(p);
	if (!p->recovery)
		syntax_error(
			p, dots.span, &ctx, "Missing closing parenthesis",
			"\"...\" stands after the last argument only: \")\" must follow.");
	return parser_recover(p, T_CPAREN);
}

static struct token bad_separator(struct parser *p, struct token name,
				  struct token open, struct token sep)
{
	struct span ctx = span_between(name.span, sep.span);

	if (sep.type == T_EOF)
		syntax_error(p, span_between(name.span, open.span), NULL,
			     "Unterminated function call",
			     "The source ends before the \")\" of this call. "
			     "Parentheses may be wrongly nested elsewhere.");
	else
		syntax_error(p, sep.span, &ctx, "Missing argument separator",
			     "Arguments are separated by commas.");
	return parser_recover(p, T_CPAREN);
}

/* Arguments up to the closing parenthesis, which is returned. */
static struct token call_args(struct parser *p, struct token name,
			      struct token open, bool *expand)
{
	for (;;) {
		size_t before = p->syntax.errors;
		struct token sep;
		struct expr *arg;

		if (parser_peek(p) == T_CPAREN)
			return parser_take(p);
		arg = parse_expr(p);
		vec_push(&p->scratch, &p->exprs, arg);
		if (parser_failed_since(p, before))
			return parser_recover(p, T_CPAREN);
		sep = parser_take(p);
		switch (sep.type) {
		case T_CPAREN:
			return sep;
		case T_ELLIPSIS:
			*expand = true;
			return after_ellipsis(p, name, sep);
		case T_COMMA:
			break;
		default:
			return bad_separator(p, name, open, sep);
		}
	}
}

static unsigned highest(const struct expr_list *l, size_t from)
{
	unsigned height = 0;

	for (size_t i = from; i < l->len; i++)
		if (l->items[i]->height > height)
			height = l->items[i]->height;
	return height;
}

struct expr *parse_call(struct parser *p, struct token name)
{
	size_t base = p->exprs.len;
	bool newlines = p->newlines, expand = false;
	struct token open, close;
	struct span name_span;
	struct str full;
	struct expr *e;

	if (!call_name(p, name, &full, &name_span, &open)) {
		parser_recover_over(p, T_OPAREN);
		return parser_new_unknown(p,
					  span_between(name.span, open.span));
	}
	p->newlines = false;
	close = call_args(p, name, open, &expand);
	p->newlines = newlines;
	e = parser_new_expr(p, EXPR_CALL, span_between(name_span, close.span),
			    highest(&p->exprs, base));
	if (e->kind == EXPR_CALL) {
		e->call.name = full;
		e->call.name_span = name_span;
		e->call.open = open.span;
		e->call.close = close.span;
		e->call.args = vec_tail(p->a, &p->exprs, base);
		e->call.nargs = p->exprs.len - base;
		e->call.expand_final = expand;
	}
	p->exprs.len = base;
	return e;
}
