/*
 * parse_expr.c - operators and traversals
 *
 *	expression = binary [ "?" expression ":" expression ]
 *	binary     = operand { operator operand }	by precedence
 *	operand    = term traversals
 *	traversals = { "." name | "." number | "[" expression "]"
 *	             | ".*" { "." name | "." number } | "[*]" traversals }
 */
#include "lang/syntax/syntax_int.h"

struct binary_operator {
	uint8_t prec; /* 0: not an operator */
	uint8_t op;
};

static const struct binary_operator binary_operators[] = {
	[T_OR] = { 1, OP_OR },       [T_AND] = { 2, OP_AND },
	[T_EQ] = { 3, OP_EQ },       [T_NE] = { 3, OP_NE },
	[T_GT] = { 4, OP_GT },       [T_GE] = { 4, OP_GE },
	[T_LT] = { 4, OP_LT },       [T_LE] = { 4, OP_LE },
	[T_PLUS] = { 5, OP_ADD },    [T_MINUS] = { 5, OP_SUB },
	[T_STAR] = { 6, OP_MUL },    [T_SLASH] = { 6, OP_DIV },
	[T_PERCENT] = { 6, OP_MOD }, [T_QUOTED_NEWLINE] = { 0, 0 },
};

static unsigned higher(const struct expr *a, const struct expr *b)
{
	return a->height > b->height ? a->height : b->height;
}

/* The left operand counts as of the same level: see ast.h on height. */
static struct expr *new_binary(struct parser *p, enum operator op,
			       struct span at, struct expr *left,
			       struct expr *right)
{
	unsigned below =
		left->kind == EXPR_BINARY ? left->height - 1u : left->height;
	struct expr *e;

	if (right->height > below)
		below = right->height;
	e = parser_new_expr(p, EXPR_BINARY,
			    span_between(left->span, right->span), below);
	if (e->kind != EXPR_BINARY)
		return e;
	e->op.op = op;
	e->op.op_span = at;
	e->op.left = left;
	e->op.right = right;
	return e;
}

static struct expr *parse_binary(struct parser *p, int min_prec)
{
	size_t before = p->syntax.errors;
	struct expr *left = parse_operand(p), *right;

	for (;;) {
		struct binary_operator op;
		struct span at;

		if (parser_failed_since(p, before))
			return left;
		op = binary_operators[parser_peek(p)];
		if (op.prec == 0 || op.prec < min_prec)
			return left;
		at = parser_take(p).span;
		right = parse_binary(p, op.prec + 1);
		if (parser_failed_since(p, before))
			return left;
		left = new_binary(p, op.op, at, left, right);
	}
}

static struct expr *parse_conditional(struct parser *p, struct expr *cond,
				      uint32_t start)
{
	size_t before = p->syntax.errors;
	struct expr *yes, *no, *e;
	struct span ctx;

	parser_take(p); /* "?" */
	yes = parse_expr(p);
	if (parser_failed_since(p, before))
		return cond;
	if (parser_peek(p) != T_COLON) {
		ctx = (struct span){ start, parser_peek_span(p).end };
		syntax_error(
			p, parser_peek_span(p), &ctx,
			"Missing false expression in conditional",
			"After \"?\" and a value, \":\" and the value for false must follow.");
		return cond;
	}
	parser_take(p);
	no = parse_expr(p);
	if (parser_failed_since(p, before))
		return cond;
	e = parser_new_expr(p, EXPR_CONDITIONAL,
			    (struct span){ start, no->span.end },
			    cond->height > higher(yes, no) ? cond->height
							   : higher(yes, no));
	if (e->kind != EXPR_CONDITIONAL)
		return e;
	e->conditional.cond = cond;
	e->conditional.yes = yes;
	e->conditional.no = no;
	return e;
}

struct expr *parse_expr(struct parser *p)
{
	size_t before = p->syntax.errors;
	uint32_t start = parser_peek_span(p).start;
	struct expr *e;

	if (!parser_enter(p))
		return parser_new_unknown(p, parser_peek_span(p));
	e = parse_binary(p, 1);
	if (!parser_failed_since(p, before) && parser_peek(p) == T_QUESTION)
		e = parse_conditional(p, e, start);
	parser_leave(p);
	return e;
}

static struct expr *parse_traversals(struct parser *p, struct expr *from);

struct expr *parse_operand(struct parser *p)
{
	struct expr *term = parse_term(p);
	enum tok next = parser_peek(p);

	if (next != T_DOT && next != T_OBRACK)
		return term;
	return parse_traversals(p, term);
}

/* --- traversals --- */

/* A variable's steps are gathered on p->steps and given to its node when the
 * chain is over; on anything else each step is a node. */
struct chain {
	struct expr *e;
	size_t base;     /* of p->steps */
	bool attrs_only; /* after ".*": the element itself is not in spans */
};

static void flush_steps(struct parser *p, struct chain *c)
{
	size_t n = p->steps.len - c->base;

	if (n == 0)
		return;
	c->e->scope.steps = vec_tail(p->a, &p->steps, c->base);
	c->e->scope.nsteps = n;
	p->steps.len = c->base;
}

static void add_step(struct parser *p, struct chain *c, struct step s)
{
	struct span span = span_between(c->e->span, s.span);
	struct expr *e;

	if (c->e->kind == EXPR_SCOPE) {
		vec_push(&p->scratch, &p->steps, s);
		c->e->span.end = s.span.end;
		return;
	}
	if (c->attrs_only && c->e->kind == EXPR_SPLAT_ITEM)
		span = s.span;
	e = parser_new_expr(p, EXPR_GET_ATTR, span, c->e->height);
	if (e->kind == EXPR_GET_ATTR) {
		e->get.on = c->e;
		e->get.step = s;
	}
	c->e = e;
}

/* .0 : in the old notation of indexes.  Two of them (.0.1) look like one
 * number and are refused. */
static struct step legacy_index(struct parser *p, struct span dot,
				const struct span *splat)
{
	struct token t = parser_take(p);
	struct str text = span_text(p, t.span);
	ptrdiff_t point = str_chr(text, '.');
	struct step s = { .kind = STEP_INDEX,
			  .span = span_between(dot, t.span) };

	if (point < 0) {
		s.key = parse_number(p, t);
		return s;
	}
	s.key = &value_unknown_dynamic;
	syntax_error(p, splat ? *splat : t.span, NULL,
		     "Invalid legacy index syntax",
		     "Two indexes after one another cannot be written with "
		     "dots. Write them in brackets%s: [%.*s][%.*s].",
		     splat ? " after a full splat ([*])" : "", (int)point,
		     text.p, (int)(text.n - (size_t)point - 1),
		     text.p + point + 1);
	return s;
}

/* The steps after ".*"; false after an error that ends the traversal. */
static bool splat_steps(struct parser *p, struct chain *each, struct span star)
{
	while (parser_peek(p) == T_DOT) {
		struct span dot = parser_take(p).span;
		struct token t;

		if (parser_peek(p) == T_NUMBER) {
			add_step(p, each, legacy_index(p, dot, &star));
			continue;
		}
		if (parser_peek(p) != T_IDENT) {
			if (p->recovery)
				;
			else if (parser_peek(p) == T_STAR)
				syntax_error(
					p, parser_peek_span(p), NULL,
					"Nested splat expression not allowed",
					"After \".*\" only attributes may follow; use [*] to nest splats.");
			else
				syntax_error(
					p, star, NULL, "Invalid attribute name",
					"A dot must be followed by the name of an attribute.");
			p->recovery = true;
			return false;
		}
		t = parser_take(p);
		add_step(p, each,
			 (struct step){ .kind = STEP_ATTR,
					.name = span_text(p, t.span),
					.span = span_between(dot, t.span) });
	}
	return true;
}

static struct expr *new_splat(struct parser *p, struct expr *on,
			      struct expr *each, struct span marker, bool full,
			      struct span span)
{
	struct expr *e = parser_new_expr(p, EXPR_SPLAT, span, higher(on, each));

	if (e->kind != EXPR_SPLAT)
		return e;
	e->splat.on = on;
	e->splat.each = each;
	e->splat.full = full;
	e->splat.marker = marker;
	return e;
}

static void attr_splat(struct parser *p, struct chain *c, struct span dot)
{
	struct span star = parser_take(p).span,
		    marker = span_between(dot, star);
	struct chain each = { .attrs_only = true };
	uint32_t end;

	flush_steps(p, c);
	each.e = parser_new_expr(p, EXPR_SPLAT_ITEM, marker, 0);
	each.base = p->steps.len;
	if (!splat_steps(p, &each, star))
		return;
	end = each.e->span.end;
	c->e = new_splat(p, c->e, each.e, marker, false,
			 (struct span){ c->e->span.start, end });
}

static void full_splat(struct parser *p, struct chain *c, struct span open)
{
	struct token close;
	struct expr *each;
	struct span marker;

	flush_steps(p, c);
	parser_take(p); /* "*" */
	close = parser_take(p);
	if (close.type != T_CBRACK && !p->recovery)
		close = parser_missing_bracket(
			p, "Missing close bracket on splat index",
			"\"[*\" must be followed by \"]\" at once.");
	marker = span_between(open, close.span);
	each = parser_new_expr(p, EXPR_SPLAT_ITEM, marker, 0);
	if (!parser_enter(p))
		return;
	each = parse_traversals(p, each);
	parser_leave(p);
	c->e = new_splat(p, c->e, each, marker, true,
			 span_between(c->e->span, each->span));
}

static void index_step(struct parser *p, struct chain *c, struct span open)
{
	size_t before = p->syntax.errors;
	bool newlines = p->newlines;
	struct token close;
	struct expr *key, *e;
	struct span brackets;

	p->newlines = false;
	key = parse_expr(p);
	if (parser_failed_since(p, before)) {
		close = parser_recover(p, T_CBRACK);
	} else {
		close = parser_take(p);
		if (close.type != T_CBRACK && !p->recovery)
			close = parser_missing_bracket(
				p, "Missing close bracket on index",
				"An index ends with \"]\".");
	}
	p->newlines = newlines;
	brackets = span_between(open, close.span);
	if (key->kind == EXPR_LITERAL) {
		add_step(p, c,
			 (struct step){ .kind = STEP_INDEX,
					.key = key->literal,
					.span = brackets });
		return;
	}
	flush_steps(p, c);
	e = parser_new_expr(p, EXPR_INDEX, span_between(c->e->span, close.span),
			    higher(c->e, key));
	if (e->kind == EXPR_INDEX) {
		e->get.on = c->e;
		e->get.key = key;
		e->get.step.span = brackets;
	}
	c->e = e;
}

static void dot_step(struct parser *p, struct chain *c)
{
	struct span dot = parser_take(p).span;
	struct token t;

	switch (parser_peek(p)) {
	case T_IDENT:
		t = parser_take(p);
		add_step(p, c,
			 (struct step){ .kind = STEP_ATTR,
					.name = span_text(p, t.span),
					.span = span_between(dot, t.span) });
		break;
	case T_NUMBER:
		add_step(p, c, legacy_index(p, dot, NULL));
		break;
	case T_STAR:
		attr_splat(p, c, dot);
		break;
	default:
		syntax_error(
			p, parser_peek_span(p), NULL, "Invalid attribute name",
			"A dot must be followed by the name of an attribute.");
		flush_steps(p, c);
		c->e = parser_new_unknown(p, span_between(c->e->span, dot));
		p->recovery = true;
		break;
	}
}

static struct expr *parse_traversals(struct parser *p, struct expr *from)
{
	struct chain c = { from, p->steps.len, false };

	for (;;) {
		struct span open;

		switch (parser_peek(p)) {
		case T_DOT:
			dot_step(p, &c);
			break;
		case T_OBRACK:
			open = parser_take(p).span;
			if (parser_peek(p) == T_STAR)
				full_splat(p, &c, open);
			else
				index_step(p, &c, open);
			break;
		default:
			flush_steps(p, &c);
			return c.e;
		}
	}
}
