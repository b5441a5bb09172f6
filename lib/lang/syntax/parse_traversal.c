/*
 * parse_traversal.c - a source that is one reference and nothing else
 *
 *	traversal = name { "." name | "[" (number | string) "]" }
 *
 * There is no recovery: the first error ends it.
 */
#include <stdalign.h>

#include "lang/syntax/parse.h"
#include "lang/syntax/syntax_int.h"

static void add_step(struct parser *p, struct step s)
{
	vec_push(&p->scratch, &p->steps, s);
}

static void attr_step(struct parser *p, uint32_t start)
{
	struct span dot = parser_take(p).span, ctx;
	struct token t = parser_take(p);

	if (t.type == T_IDENT) {
		add_step(p, (struct step){ .kind = STEP_ATTR,
					   .name = span_text(p, t.span),
					   .span = span_between(dot, t.span) });
		return;
	}
	ctx = (struct span){ start, t.span.end };
	syntax_error(
		p, t.span, &ctx, "Attribute name required",
		t.type == T_STAR
			? "Splats (.*) cannot be used here."
			: "A dot must be followed by the name of an attribute.");
}

static void close_index(struct parser *p, struct span open, struct step s)
{
	struct token close = parser_take(p);
	struct span ctx = span_between(open, close.span);

	if (close.type != T_CBRACK)
		syntax_error(p, close.span, &ctx, "Unclosed index brackets",
			     "\"]\" is expected after the key.");
	s.span = ctx;
	add_step(p, s);
}

static void index_step(struct parser *p, uint32_t start)
{
	struct span open = parser_take(p).span, at = parser_peek_span(p);
	struct span ctx = { start, at.end };
	struct step s = { .kind = STEP_INDEX };

	switch (parser_peek(p)) {
	case T_NUMBER:
		s.key = parse_number(p, parser_take(p));
		close_index(p, open, s);
		return;
	case T_OQUOTE:
		s.key = value_string(p->a, parse_plain_literal(p, &at));
		close_index(p, open, s);
		return;
	case T_STAR:
		syntax_error(p, at, &ctx, "Attribute name required",
			     "Splats ([*]) cannot be used here.");
		return;
	default:
		syntax_error(
			p, at, &ctx, "Index value required",
			"Only a literal number or string can be an index here.");
		return;
	}
}

static void read_traversal(struct parser *p, struct traversal *out)
{
	struct token root = parser_take(p);
	struct span ctx;

	*out = (struct traversal){ .root_span = root.span };
	if (root.type != T_IDENT) {
		syntax_error(p, root.span, NULL, "Variable name required",
			     "A reference begins with a name.");
		return;
	}
	out->root = span_text(p, root.span);
	while (parser_peek(p) != T_EOF && p->syntax.errors == 0) {
		if (parser_peek(p) == T_DOT) {
			attr_step(p, root.span.start);
		} else if (parser_peek(p) == T_OBRACK) {
			index_step(p, root.span.start);
		} else {
			ctx = span_between(root.span, parser_peek_span(p));
			syntax_error(
				p, parser_peek_span(p), &ctx,
				"Invalid character",
				"An attribute (.name) or an index ([key]) is expected here.");
		}
	}
	out->nsteps = p->steps.len;
	out->steps = vec_tail(p->a, &p->steps, 0);
}

int parse_traversal(struct arena *a, const struct source *src,
		    struct traversal *out, struct diags *ds)
{
	alignas(16) char room[PARSER_ROOM];
	struct parser p;

	parser_init(&p, a, room, src, source_whole(src), LEX_MAIN, ds);
	p.newlines = false;
	read_traversal(&p, out);
	return parser_finish(&p);
}
