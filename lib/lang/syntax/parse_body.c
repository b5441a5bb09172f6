/*
 * parse_body.c - arguments and blocks
 *
 *	body      = { argument | block | newline }
 *	argument  = name "=" expression newline
 *	block     = name { name | string } "{" newline body "}" newline
 *	          | name { name | string } "{" [ name "=" expression ] "}"
 *	            newline
 */
#include "lang/syntax/syntax_int.h"

static const char no_closing_brace[] =
	"The source ends before the \"}\" of this block. Braces may be wrongly "
	"nested elsewhere.";

/* --- arguments set twice --- */

/* Few arguments are compared with one another; many are looked up. */
enum { FEW_ATTRS = 16 };

struct names {
	size_t base;    /* of p->attrs */
	struct map map; /* name -> index + 1, when there are many */
};

static struct attribute *find_attr(struct parser *p, struct names *n,
				   struct str name)
{
	struct attribute *items = p->attrs.items;

	if (p->attrs.len - n->base <= FEW_ATTRS) {
		for (size_t i = n->base; i < p->attrs.len; i++)
			if (str_eq(items[i].name, name))
				return &items[i];
		return NULL;
	}
	for (size_t i = n->base + n->map.len; i < p->attrs.len; i++)
		map_put(&p->scratch, &n->map, items[i].name,
			(void *)(uintptr_t)(i + 1));
	items += (uintptr_t)map_get(&n->map, name);
	return items == p->attrs.items ? NULL : items - 1;
}

static void add_attr(struct parser *p, struct names *n, struct attribute a)
{
	const struct attribute *old = find_attr(p, n, a.name);

	if (!old) {
		vec_push(&p->scratch, &p->attrs, a);
		return;
	}
	syntax_error(
		p, a.name_span, NULL, "Attribute redefined",
		"\"%.*s\" is set on line %u already; an argument can be set only once.",
		STR_ARG(a.name), source_pos(p->src, old->name_span.start).line);
}

/* --- arguments --- */

static void check_line_end(struct parser *p, struct token name)
{
	struct span at = parser_peek_span(p), ctx = span_between(name.span, at);

	if (p->recovery)
		return;
	if (parser_peek(p) == T_COMMA)
		syntax_error(
			p, at, &ctx, "Unexpected comma after argument",
			"Arguments are separated by newlines, not by commas.");
	else
		syntax_error(
			p, at, &ctx, "Missing newline after argument",
			"Nothing else may stand on the line of an argument.");
}

/* Takes what ends an item, if that is here. */
static bool item_ends(struct parser *p)
{
	if (parser_peek(p) == T_NEWLINE || parser_peek(p) == T_EOF ||
	    (p->loose && parser_peek(p) == T_COMMA)) {
		parser_take(p);
		return true;
	}
	return p->loose &&
	       (parser_peek(p) == T_IDENT || parser_peek(p) == T_OQUOTE ||
		parser_peek(p) == T_CBRACE);
}

/* The name has been taken and "=" comes next. */
static struct attribute parse_attr(struct parser *p, struct token name,
				   bool single_line)
{
	struct attribute a = { .name = span_text(p, name.span),
			       .name_span = name.span };
	size_t before = p->syntax.errors;
	struct span end;

	parser_take(p);
	a.expr = (struct expression){ p->src, parse_expr(p) };
	end = p->prev.span;
	if (parser_failed_since(p, before)) {
		parser_recover_after_item(p);
	} else if (!single_line && !item_ends(p)) {
		check_line_end(p, name);
		parser_recover_after_item(p);
	}
	a.span = span_between(name.span, end);
	return a;
}

/* --- blocks --- */

static struct body *new_body(struct parser *p, struct span span)
{
	struct body *b = ARENA_NEW(p->a, struct body);

	b->src = p->src;
	b->span = span;
	b->end = (struct span){ span.start, span.start };
	return b;
}

static void item_required(struct parser *p, struct span at)
{
	syntax_error(p, at, NULL, "Argument or block definition required",
		     "An argument (name = value) or a block is expected here.");
}

/* Reads labels up to "{"; false after an error. */
static bool block_header(struct parser *p, struct token type)
{
	for (;;) {
		struct span at = parser_peek_span(p), ctx;
		struct label l;

		switch (parser_peek(p)) {
		case T_OBRACE:
			return true;
		case T_OQUOTE:
			l.text = parse_plain_literal(p, &l.span);
			vec_push(&p->scratch, &p->labels, l);
			continue;
		case T_IDENT:
			l.span = parser_take(p).span;
			l.text = span_text(p, l.span);
			vec_push(&p->scratch, &p->labels, l);
			continue;
		default:
			break;
		}
		ctx = span_between(type.span, at);
		if (parser_peek(p) == T_EQUAL)
			syntax_error(
				p, at, &ctx, "Invalid block definition",
				"\"=\" makes this an argument; a block has none.");
		else if (parser_peek(p) == T_NEWLINE)
			syntax_error(
				p, at, &ctx, "Invalid block definition",
				"\"{\" must stand on the line of the block's type.");
		else if (!p->recovery)
			syntax_error(p, at, &ctx, "Invalid block definition",
				     "A label or \"{\" is expected here.");
		return false;
	}
}

/* block { name = value } on one line: the argument. NULL after an error. */
static struct body *single_attr_body(struct parser *p)
{
	struct token name = parser_take(p);
	struct attribute a;
	struct body *b;

	switch (name.type == T_IDENT ? parser_peek(p) : T_EOF) {
	case T_EQUAL:
		a = parse_attr(p, name, true);
		b = new_body(p, a.span);
		b->attrs.items = arena_dup(p->a, &a, sizeof(a));
		b->attrs.len = b->attrs.cap = 1;
		return b;
	case T_OQUOTE:
	case T_OBRACE:
	case T_IDENT:
		syntax_error(p, span_between(name.span, parser_peek_span(p)),
			     NULL, "Argument definition required",
			     "A block on one line can hold a single argument "
			     "only. A block inside of it needs a line of its "
			     "own.");
		break;
	default:
		item_required(p, name.span);
		break;
	}
	parser_recover_after_item(p);
	return NULL;
}

/* The end of a block on one line. */
static void close_single(struct parser *p, struct token type, struct span open)
{
	struct span at = parser_peek_span(p),
		    ctx = span_between(type.span, open);
	static const char bad[] = "Invalid single-argument block definition";

	switch (parser_peek(p)) {
	case T_CBRACE:
		parser_take(p);
		return;
	case T_COMMA:
		syntax_error(p, at, NULL, bad,
			     "A block on one line holds a single argument "
			     "only. Write each argument on a line of its own.");
		break;
	case T_NEWLINE:
		syntax_error(p, at, NULL, bad,
			     "A block whose argument stands on the line of "
			     "\"{\" must be closed on that line.");
		break;
	case T_EOF:
		if (!p->recovery)
			syntax_error(p, open, &ctx,
				     "Unclosed configuration block", "%s",
				     no_closing_brace);
		break;
	default:
		if (!p->recovery)
			syntax_error(
				p, at, NULL, bad,
				"\"}\" is expected after the argument of a block on one line.");
		break;
	}
	parser_recover(p, T_CBRACE);
}

static struct body *block_body(struct parser *p, struct token type,
			       struct span open)
{
	struct body *b;

	switch (p->loose ? T_NEWLINE : parser_peek(p)) {
	case T_NEWLINE:
	case T_EOF:
	case T_CBRACE:
		return parse_body(p, T_CBRACE);
	default:
		b = single_attr_body(p);
		close_single(p, type, open);
		return b ? b : new_body(p, span_between(open, p->prev.span));
	}
}

static void end_block(struct parser *p, struct token type)
{
	struct span at = parser_peek_span(p), ctx = span_between(type.span, at);

	if (item_ends(p))
		return;
	if (!p->recovery)
		syntax_error(
			p, at, &ctx, "Missing newline after block definition",
			"Nothing else may stand on the line where a block ends.");
	parser_recover_after_item(p);
}

/* The type has been taken. */
static struct block parse_block(struct parser *p, struct token type)
{
	size_t base = p->labels.len;
	struct block b = { .type = span_text(p, type.span),
			   .type_span = type.span,
			   .header = type.span,
			   .open = type.span,
			   .close = type.span,
			   .src = p->src };
	bool ok = block_header(p, type);

	b.nlabels = p->labels.len - base;
	if (b.nlabels) {
		b.labels = vec_tail(p->a, &p->labels, base);
		b.header.end = b.labels[b.nlabels - 1].span.end;
	}
	p->labels.len = base;
	if (!ok) {
		parser_recover_after_item(p);
		b.body = new_body(p, type.span);
		return b;
	}
	b.open = parser_take(p).span;
	b.body = block_body(p, type, b.open);
	b.close = p->prev.span;
	end_block(p, type);
	return b;
}

/* --- bodies --- */

/* In quotes, where that is allowed. */
static struct token item_name(struct parser *p)
{
	struct token name = { .type = T_IDENT };

	if (parser_peek(p) != T_OQUOTE)
		return parser_take(p);
	parse_plain_literal(p, &name.span);
	if (name.span.end - name.span.start >= 2) {
		name.span.start++;
		name.span.end--;
	}
	return name;
}

static bool item_begins(struct parser *p)
{
	return parser_peek(p) == T_IDENT ||
	       (p->loose && parser_peek(p) == T_OQUOTE);
}

static void parse_item(struct parser *p, struct names *names)
{
	struct token name = item_name(p);
	struct block b;

	switch (parser_peek(p)) {
	case T_EQUAL:
		add_attr(p, names, parse_attr(p, name, false));
		break;
	case T_OQUOTE:
	case T_OBRACE:
	case T_IDENT:
		b = parse_block(p, name);
		vec_push(&p->scratch, &p->blocks, b);
		break;
	default:
		item_required(p, name.span);
		parser_recover_after_item(p);
		break;
	}
}

/* No item begins with t, which ends the body. */
static void bad_item(struct parser *p, struct token t, struct span start)
{
	if (p->recovery)
		return;
	if (t.type == T_OQUOTE)
		syntax_error(p, t.span, NULL, "Invalid argument name",
			     "The name of an argument is not quoted.");
	else if (t.type == T_EOF)
		syntax_error(p, start, NULL, "Unclosed configuration block",
			     "%s", no_closing_brace);
	else
		item_required(p, t.span);
}

static void close_body(struct parser *p, struct body *b, size_t attrs,
		       size_t blocks)
{
	b->attrs.len = b->attrs.cap = p->attrs.len - attrs;
	b->attrs.items = vec_tail(p->a, &p->attrs, attrs);
	b->blocks.len = b->blocks.cap = p->blocks.len - blocks;
	b->blocks.items = vec_tail(p->a, &p->blocks, blocks);
	p->attrs.len = attrs;
	p->blocks.len = blocks;
}

/* Up to and including `end`, T_CBRACE or T_EOF. */
struct body *parse_body(struct parser *p, enum tok end)
{
	struct span start = p->started ? p->prev.span : parser_peek_span(p);
	struct names names = { .base = p->attrs.len };
	size_t blocks = p->blocks.len;
	struct body *b = new_body(p, start);
	struct token t;

	if (!parser_enter(p))
		return b;
	while (parser_peek(p) == T_NEWLINE || item_begins(p)) {
		if (parser_peek(p) == T_NEWLINE)
			parser_take(p);
		else
			parse_item(p, &names);
	}
	t = parser_take(p);
	b->span.end = t.span.end;
	if (t.type != end) {
		bad_item(p, t, start);
		parser_recover(p, end);
	}
	close_body(p, b, names.base, blocks);
	parser_leave(p);
	return b;
}
