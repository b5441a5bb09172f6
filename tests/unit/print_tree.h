/*
 * print_tree.h - source text from syntax trees
 *
 * Parsed again, it gives the same tree (show_expr.h).  Heredocs come out as
 * quoted strings, layout and comments are lost: it is for tests.
 */
#ifndef TFPIPE_TESTS_UNIT_PRINT_TREE_H
#define TFPIPE_TESTS_UNIT_PRINT_TREE_H

#include "lang/syntax/parse.h"
#include "value/number.h"

static void print_expr(struct buf *b, const struct expr *e);

/* A dollar or percent sign before a brace or where a sequence may follow would
 * begin or escape one. */
static inline bool print_sign(struct str s, size_t i)
{
	return (s.p[i] == '$' || s.p[i] == '%') &&
	       (i + 1 == s.n || strchr("{$%", s.p[i + 1]));
}

static inline void print_text(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char ch = (unsigned char)s.p[i];

		if (ch < 0x20 || print_sign(s, i))
			buf_addf(b, "\\u%04x", ch);
		else if (ch == '"' || ch == '\\')
			buf_addf(b, "\\%c", ch);
		else
			buf_putc(b, (char)ch);
	}
}

static inline void print_quoted(struct buf *b, struct str s)
{
	buf_putc(b, '"');
	print_text(b, s);
	buf_putc(b, '"');
}

static inline void print_literal(struct buf *b, const struct value *v)
{
	struct arena a = ARENA_INIT;

	if (v->state == VALUE_NULL)
		buf_puts(b, "null");
	else if (v->type == &type_bool)
		buf_puts(b, v->boolean ? "true" : "false");
	else if (v->type == &type_number)
		buf_str(b, value_number_text(&a, v));
	else
		print_quoted(b, v->string);
	arena_release(&a);
}

static inline void print_step(struct buf *b, const struct step *s)
{
	if (s->kind == STEP_ATTR) {
		buf_addf(b, ".%.*s", STR_ARG(s->name));
	} else {
		buf_putc(b, '[');
		print_literal(b, s->key);
		buf_putc(b, ']');
	}
}

/* --- templates --- */

static inline bool print_is_text(const struct expr *e)
{
	return e->kind == EXPR_LITERAL && e->literal->type == &type_string &&
	       e->literal->state == VALUE_KNOWN;
}

static void print_parts(struct buf *b, const struct expr *e);

/* %{ for }, and %{ if } where it stands alone: elsewhere it is the same as an
 * interpolated condition. */
static inline bool print_directive(struct buf *b, const struct expr *e,
				   bool alone)
{
	if (e->kind == EXPR_FOR_TEMPLATE) {
		buf_puts(b, "%{for ");
		if (e->for_.key_name.n)
			buf_addf(b, "%.*s, ", STR_ARG(e->for_.key_name));
		buf_addf(b, "%.*s in ", STR_ARG(e->for_.value_name));
		print_expr(b, e->for_.coll);
		buf_puts(b, "}");
		print_parts(b, e->for_.value);
		buf_puts(b, "%{endfor}");
		return true;
	}
	if (!alone || e->kind != EXPR_CONDITIONAL)
		return false;
	buf_puts(b, "%{if ");
	print_expr(b, e->conditional.cond);
	buf_puts(b, "}");
	print_parts(b, e->conditional.yes);
	buf_puts(b, "%{else}");
	print_parts(b, e->conditional.no);
	buf_puts(b, "%{endif}");
	return true;
}

/* A text that is none, or comes after another, was an interpolation. */
static inline void print_part(struct buf *b, const struct expr *e, bool alone,
			      bool after_text)
{
	if (print_is_text(e) && !after_text && (alone || e->literal->string.n)) {
		print_text(b, e->literal->string);
	} else if (!print_directive(b, e, alone)) {
		buf_puts(b, "${");
		print_expr(b, e);
		buf_puts(b, "}");
	}
}

/* Prints the content of a template's quotes or a directive's arm. */
static void print_parts(struct buf *b, const struct expr *e)
{
	if (e->kind != EXPR_TEMPLATE) {
		print_part(b, e, true, false);
		return;
	}
	for (size_t i = 0; i < e->nitems; i++)
		print_part(b, e->items[i], e->nitems == 1,
			   i && print_is_text(e->items[i - 1]));
}

/* --- the rest --- */

static inline void print_list(struct buf *b, const struct expr *const *items,
			      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_puts(b, i ? ", " : "");
		print_expr(b, items[i]);
	}
}

static inline void print_for(struct buf *b, const struct expr *e)
{
	buf_puts(b, e->for_.key ? "{for " : "[for ");
	if (e->for_.key_name.n)
		buf_addf(b, "%.*s, ", STR_ARG(e->for_.key_name));
	buf_addf(b, "%.*s in ", STR_ARG(e->for_.value_name));
	print_expr(b, e->for_.coll);
	buf_puts(b, " : ");
	if (e->for_.key) {
		print_expr(b, e->for_.key);
		buf_puts(b, " => ");
	}
	print_expr(b, e->for_.value);
	buf_puts(b, e->for_.group ? "..." : "");
	if (e->for_.cond) {
		buf_puts(b, " if ");
		print_expr(b, e->for_.cond);
	}
	buf_putc(b, e->for_.key ? '}' : ']');
}

static inline void print_object(struct buf *b, const struct expr *e)
{
	buf_putc(b, '{');
	for (size_t i = 0; i < e->object.nitems; i++) {
		buf_puts(b, i ? ", " : "");
		print_expr(b, e->object.items[i].key);
		buf_puts(b, " = ");
		print_expr(b, e->object.items[i].value);
	}
	buf_putc(b, '}');
}

static inline void print_operator(struct buf *b, const struct expr *e)
{
	static const char *const names[] = {
		"!", "-", "||", "&&", "==", "!=", "<", "<=",
		">", ">=", "+", "-", "*", "/", "%",
	};

	if (e->kind == EXPR_BINARY) {
		print_expr(b, e->op.left);
		buf_addf(b, " %s ", names[e->op.op]);
		print_expr(b, e->op.right);
	} else {
		buf_puts(b, names[e->op.op]);
		print_expr(b, e->op.left);
	}
}

static void print_expr(struct buf *b, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_LITERAL:
		print_literal(b, e->literal);
		break;
	case EXPR_TEMPLATE:
	case EXPR_FOR_TEMPLATE:
		buf_putc(b, '"');
		print_parts(b, e);
		buf_putc(b, '"');
		break;
	case EXPR_WRAP:
		buf_puts(b, "\"${");
		print_expr(b, e->items[0]);
		buf_puts(b, "}\"");
		break;
	case EXPR_PARENS:
	case EXPR_TUPLE:
		buf_putc(b, e->kind == EXPR_TUPLE ? '[' : '(');
		print_list(b, e->items, e->nitems);
		buf_putc(b, e->kind == EXPR_TUPLE ? ']' : ')');
		break;
	case EXPR_SCOPE:
		buf_str(b, e->scope.root);
		for (size_t i = 0; i < e->scope.nsteps; i++)
			print_step(b, &e->scope.steps[i]);
		break;
	case EXPR_GET_ATTR:
		print_expr(b, e->get.on);
		print_step(b, &e->get.step);
		break;
	case EXPR_INDEX:
		print_expr(b, e->get.on);
		buf_putc(b, '[');
		print_expr(b, e->get.key);
		buf_putc(b, ']');
		break;
	case EXPR_SPLAT:
		print_expr(b, e->splat.on);
		buf_puts(b, e->splat.full ? "[*]" : ".*");
		print_expr(b, e->splat.each);
		break;
	case EXPR_SPLAT_ITEM:
	case EXPR_JSON:
		break;
	case EXPR_CALL:
		buf_addf(b, "%.*s(", STR_ARG(e->call.name));
		print_list(b, e->call.args, e->call.nargs);
		buf_puts(b, e->call.expand_final ? "...)" : ")");
		break;
	case EXPR_CONDITIONAL:
		print_expr(b, e->conditional.cond);
		buf_puts(b, " ? ");
		print_expr(b, e->conditional.yes);
		buf_puts(b, " : ");
		print_expr(b, e->conditional.no);
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
		print_operator(b, e);
		break;
	case EXPR_OBJECT:
		print_object(b, e);
		break;
	case EXPR_FOR:
		print_for(b, e);
		break;
	}
}

static inline void print_body(struct buf *b, const struct body *body)
{
	for (size_t i = 0; i < body->attrs.len; i++) {
		buf_addf(b, "%.*s = ", STR_ARG(body->attrs.items[i].name));
		print_expr(b, body->attrs.items[i].expr.root);
		buf_putc(b, '\n');
	}
	for (size_t i = 0; i < body->blocks.len; i++) {
		const struct block *bl = &body->blocks.items[i];

		buf_str(b, bl->type);
		for (size_t k = 0; k < bl->nlabels; k++) {
			buf_putc(b, ' ');
			print_quoted(b, bl->labels[k].text);
		}
		buf_puts(b, " {\n");
		print_body(b, bl->body);
		buf_puts(b, "}\n");
	}
}

#endif
