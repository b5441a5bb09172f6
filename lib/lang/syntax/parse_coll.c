/*
 * parse_coll.c - tuples, objects and for expressions
 *
 *	tuple  = "[" [ expression { "," expression } [ "," ] ] "]"
 *	object = "{" { expression ("=" | ":") expression ("," | newline) } "}"
 *	for    = "[" for-intro expression [ "if" expression ] "]"
 *	       | "{" for-intro expression "=>" expression [ "..." ]
 *	             [ "if" expression ] "}"
 *	for-intro = "for" name [ "," name ] "in" expression ":"
 */
#include "lang/syntax/syntax_int.h"

static const char unclosed[] =
	"The source ends before this is closed. Brackets may be wrongly "
	"nested elsewhere.";

/* --- tuples --- */

static struct token tuple_items(struct parser *p, struct span open)
{
	for (;;) {
		size_t before = p->syntax.errors;
		struct expr *item;
		struct span ctx;

		if (parser_peek(p) == T_CBRACK)
			return parser_take(p);
		item = parse_expr(p);
		vec_push(&p->scratch, &p->exprs, item);
		if (parser_failed_since(p, before))
			return parser_recover(p, T_CBRACK);
		if (parser_peek(p) == T_CBRACK)
			return parser_take(p);
		if (parser_peek(p) == T_COMMA) {
			parser_take(p);
			continue;
		}
		ctx = span_between(open, parser_peek_span(p));
		if (p->recovery)
			;
		else if (parser_peek(p) == T_EOF)
			syntax_error(
				p, open, NULL,
				"Unterminated tuple constructor expression",
				"%s", unclosed);
		else
			syntax_error(p, parser_peek_span(p), &ctx,
				     "Missing item separator",
				     "Items are separated by commas.");
		return parser_recover(p, T_CBRACK);
	}
}

static struct expr *parse_for(struct parser *p, struct token open);

struct expr *parse_tuple(struct parser *p)
{
	size_t base = p->exprs.len, n;
	bool newlines = p->newlines;
	struct token open = parser_take(p), close;
	unsigned height = 0;
	struct expr *e;

	p->newlines = false;
	if (parser_peek_word(p, "for")) {
		e = parse_for(p, open);
		p->newlines = newlines;
		return e;
	}
	close = tuple_items(p, open.span);
	p->newlines = newlines;
	n = p->exprs.len - base;
	for (size_t i = 0; i < n; i++)
		if (p->exprs.items[base + i]->height > height)
			height = p->exprs.items[base + i]->height;
	e = parser_new_expr(p, EXPR_TUPLE, span_between(open.span, close.span),
			    height);
	if (e->kind == EXPR_TUPLE) {
		e->items = vec_tail(p->a, &p->exprs, base);
		e->nitems = n;
	}
	p->exprs.len = base;
	return e;
}

/* --- objects --- */

static void no_key_separator(struct parser *p, struct span open)
{
	struct span at = parser_peek_span(p), ctx = span_between(open, at);

	switch (parser_peek(p)) {
	case T_NEWLINE:
	case T_COMMA:
		syntax_error(p, at, &ctx, "Missing attribute value",
			     "\"=\" and a value are expected here.");
		break;
	case T_EOF:
		syntax_error(p, open, NULL,
			     "Unterminated object constructor expression", "%s",
			     unclosed);
		break;
	case T_IDENT:
		syntax_error(p, at, &ctx, "Missing key/value separator",
			     "\"=\" is expected between a key and its value. A "
			     "key with periods or spaces must be quoted.");
		break;
	default:
		syntax_error(p, at, &ctx, "Missing key/value separator",
			     "\"=\" is expected between a key and its value.");
		break;
	}
}

static void no_item_separator(struct parser *p, struct span open)
{
	struct span at = parser_peek_span(p), ctx = span_between(open, at);

	if (parser_peek(p) == T_EOF)
		syntax_error(p, open, NULL,
			     "Unterminated object constructor expression", "%s",
			     unclosed);
	else
		syntax_error(
			p, at, &ctx, "Missing attribute separator",
			"A newline or a comma is expected before the next attribute.");
}

/* Is the key a bare name?  The words true, false and null are names here. */
static bool bare_name(struct parser *p, struct expr **key)
{
	struct expr *e = *key;
	struct span at = e->span;

	if (e->kind == EXPR_LITERAL &&
	    (e->literal == &value_true || e->literal == &value_false ||
	     e->literal == &value_null_dynamic)) {
		e = parser_new_expr(p, EXPR_SCOPE, at, 0);
		e->scope.root = span_text(p, at);
		e->scope.root_span = at;
		*key = e;
	}
	return e->kind == EXPR_SCOPE && e->scope.nsteps == 0;
}

/* One "key = value"; false after an error, when the rest must be skipped. */
static bool object_item(struct parser *p, struct span open)
{
	size_t before = p->syntax.errors;
	struct object_item item;
	struct expr *key;

	key = parse_expr(p);
	if (parser_failed_since(p, before))
		return false;
	item.key_is_name = bare_name(p, &key);
	item.key = key;
	if (parser_peek(p) != T_EQUAL && parser_peek(p) != T_COLON) {
		if (!p->recovery)
			no_key_separator(p, open);
		return false;
	}
	parser_take(p);
	item.value = parse_expr(p);
	if (parser_failed_since(p, before))
		return false;
	vec_push(&p->scratch, &p->items, item);
	return true;
}

static struct token object_items(struct parser *p, struct span open)
{
	for (;;) {
		switch (parser_peek(p)) {
		case T_NEWLINE:
			parser_take(p);
			continue;
		case T_CBRACE:
			return parser_take(p);
		default:
			break;
		}
		if (!object_item(p, open))
			return parser_recover(p, T_CBRACE);
		switch (parser_peek(p)) {
		case T_CBRACE:
			return parser_take(p);
		case T_COMMA:
		case T_NEWLINE:
			parser_take(p);
			continue;
		default:
			break;
		}
		if (!p->recovery)
			no_item_separator(p, open);
		return parser_recover(p, T_CBRACE);
	}
}

static struct expr *new_object(struct parser *p, size_t base, struct span open,
			       struct span span)
{
	size_t n = p->items.len - base;
	unsigned height = 0;
	struct expr *e;

	for (size_t i = base; i < p->items.len; i++) {
		const struct object_item *it = &p->items.items[i];

		if (it->key->height > height)
			height = it->key->height;
		if (it->value->height > height)
			height = it->value->height;
	}
	e = parser_new_expr(p, EXPR_OBJECT, span, height);
	if (e->kind != EXPR_OBJECT)
		return e;
	e->object.items = vec_tail(p->a, &p->items, base);
	e->object.nitems = n;
	e->object.open = open;
	return e;
}

struct expr *parse_object(struct parser *p)
{
	size_t base = p->items.len;
	bool newlines = p->newlines, is_for;
	struct token open = parser_take(p), close;
	struct expr *e;

	p->newlines = false; /* "for" may be on a later line */
	is_for = parser_peek_word(p, "for");
	if (is_for) {
		e = parse_for(p, open);
		p->newlines = newlines;
		return e;
	}
	p->newlines = true;
	close = object_items(p, open.span);
	p->newlines = newlines;
	e = new_object(p, base, open.span, span_between(open.span, close.span));
	p->items.len = base;
	return e;
}

/* --- for --- */

static void for_error(struct parser *p, struct span at, struct span open,
		      struct span to, const char *detail)
{
	struct span ctx = span_between(open, to);

	syntax_error(p, at, &ctx, "Invalid 'for' expression", "%s", detail);
}

static struct expr *for_failed(struct parser *p, struct token open)
{
	struct token close = parser_recover(p, tok_opposite(open.type));

	return parser_new_unknown(p, span_between(open.span, close.span));
}

/* Reads "name[, name] in"; false after an error. */
static bool for_names(struct parser *p, struct span open, struct str *key,
		      struct str *value)
{
	const char *missing = NULL;

	if (parser_peek(p) != T_IDENT) {
		missing = "A variable name is expected after \"for\".";
	} else {
		*value = span_text(p, parser_take(p).span);
		if (parser_peek(p) == T_COMMA) {
			*key = *value;
			parser_take(p);
			if (parser_peek(p) != T_IDENT)
				missing =
					"A name for the value is expected after the comma.";
			else
				*value = span_text(p, parser_take(p).span);
		}
	}
	if (!missing && !parser_peek_word(p, "in"))
		missing = "\"in\" is expected after the variable names.";
	if (!missing) {
		parser_take(p);
		return true;
	}
	if (!p->recovery)
		for_error(p, parser_peek_span(p), open, parser_peek_span(p),
			  missing);
	return false;
}

/* ": [key =>] value"; false after an error. */
static bool for_results(struct parser *p, struct span open, struct expr **key,
			struct expr **value)
{
	size_t before = p->syntax.errors;

	if (parser_peek(p) != T_COLON) {
		if (!p->recovery)
			for_error(p, parser_peek_span(p), open,
				  parser_peek_span(p),
				  "\":\" is expected after the collection.");
		return false;
	}
	parser_take(p);
	*value = parse_expr(p);
	if (parser_peek(p) == T_FAT_ARROW) {
		parser_take(p);
		*key = *value;
		*value = parse_expr(p);
	}
	return !parser_failed_since(p, before);
}

/* Checks that need the whole expression. */
static void check_for(struct parser *p, const struct expr *e, bool object,
		      struct span ellipsis, struct span value)
{
	struct span open = e->for_.open, close = e->for_.close;

	if (object && !e->for_.key)
		for_error(p, value, open, close,
			  "An object needs keys: write \"key => value\".");
	if (!object && e->for_.key)
		for_error(p, e->for_.key->span, open, close,
			  "A tuple has no keys: leave out \"key =>\", or use "
			  "braces to make an object.");
	if (!object && e->for_.group)
		for_error(p, ellipsis, open, close,
			  "\"...\" groups values under the keys of an object; "
			  "it cannot be used in a tuple.");
}

static unsigned for_height(const struct expr *coll, const struct expr *key,
			   const struct expr *value, const struct expr *cond)
{
	unsigned h = coll->height;

	if (key && key->height > h)
		h = key->height;
	if (value->height > h)
		h = value->height;
	if (cond && cond->height > h)
		h = cond->height;
	return h;
}

static struct token for_close(struct parser *p, struct token open)
{
	if (parser_peek(p) == tok_opposite(open.type))
		return parser_take(p);
	if (!p->recovery)
		for_error(p, parser_peek_span(p), open.span,
			  parser_peek_span(p),
			  "The expression should be closed here.");
	return parser_recover(p, tok_opposite(open.type));
}

static struct expr *parse_for(struct parser *p, struct token open)
{
	struct str key_name = STR_NONE, value_name = STR_NONE;
	struct expr *coll, *key = NULL, *value = NULL, *cond = NULL, *e;
	size_t before = p->syntax.errors;
	struct span ellipsis = { 0, 0 };
	struct token close;
	bool group = false;

	parser_take(p); /* "for" */
	if (!for_names(p, open.span, &key_name, &value_name))
		return for_failed(p, open);
	coll = parse_expr(p);
	if (parser_failed_since(p, before) ||
	    !for_results(p, open.span, &key, &value))
		return for_failed(p, open);
	if (parser_peek(p) == T_ELLIPSIS) {
		ellipsis = parser_take(p).span;
		group = true;
	}
	if (parser_peek_word(p, "if")) {
		parser_take(p);
		cond = parse_expr(p);
		if (parser_failed_since(p, before))
			return for_failed(p, open);
	}
	close = for_close(p, open);
	e = parser_new_expr(p, EXPR_FOR, span_between(open.span, close.span),
			    for_height(coll, key, value, cond));
	if (e->kind != EXPR_FOR)
		return e;
	e->for_.key_name = key_name;
	e->for_.value_name = value_name;
	e->for_.coll = coll;
	e->for_.key = key;
	e->for_.value = value;
	e->for_.cond = cond;
	e->for_.group = group;
	e->for_.open = open.span;
	e->for_.close = close.span;
	check_for(p, e, open.type == T_OBRACE, ellipsis, value->span);
	return e;
}
