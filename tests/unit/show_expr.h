/*
 * show_expr.h - syntax trees as text, for comparing
 *
 *	(+ 1 (get (call f x) .a))
 *
 * Spans are left out: trees of differently spaced texts are equal.
 */
#ifndef TFPIPE_TESTS_UNIT_SHOW_EXPR_H
#define TFPIPE_TESTS_UNIT_SHOW_EXPR_H

#include "lang/syntax/parse.h"
#include "value/number.h"

static void show_expr(struct buf *b, const struct expr *e);

static inline void show_quoted(struct buf *b, struct str s)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n')
			buf_puts(b, "\\n");
		else if (s.p[i] == '\r')
			buf_puts(b, "\\r");
		else if (s.p[i] == '"' || s.p[i] == '\\')
			buf_addf(b, "\\%c", s.p[i]);
		else
			buf_putc(b, s.p[i]);
	}
	buf_putc(b, '"');
}

static inline void show_literal(struct buf *b, const struct value *v)
{
	struct arena a = ARENA_INIT;

	if (v->state == VALUE_UNKNOWN)
		buf_puts(b, "unknown");
	else if (v->state == VALUE_NULL)
		buf_puts(b, "null");
	else if (v->type == &type_bool)
		buf_puts(b, v->boolean ? "true" : "false");
	else if (v->type == &type_number)
		buf_str(b, value_number_text(&a, v));
	else
		show_quoted(b, v->string);
	arena_release(&a);
}

static inline void show_step(struct buf *b, const struct step *s)
{
	if (s->kind == STEP_ATTR) {
		buf_addf(b, ".%.*s", STR_ARG(s->name));
	} else {
		buf_putc(b, '[');
		show_literal(b, s->key);
		buf_putc(b, ']');
	}
}

static inline void show_traversal(struct buf *b, const struct traversal *t)
{
	buf_str(b, t->root);
	for (size_t i = 0; i < t->nsteps; i++)
		show_step(b, &t->steps[i]);
}

/* " x y)" */
static inline void show_rest(struct buf *b, const struct expr *const *items,
			     size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_putc(b, ' ');
		if (items[i])
			show_expr(b, items[i]);
		else
			buf_putc(b, '-');
	}
	buf_putc(b, ')');
}

static inline void show_for(struct buf *b, const struct expr *e)
{
	const struct expr *parts[] = { e->for_.coll, e->for_.key,
				       e->for_.value, e->for_.cond };

	buf_addf(b, "(%s%s %.*s,%.*s",
		 e->kind == EXPR_FOR ? "for" : "join",
		 e->for_.group ? "..." : "", STR_ARG(e->for_.key_name),
		 STR_ARG(e->for_.value_name));
	show_rest(b, parts, 4);
}

static inline void show_object(struct buf *b, const struct expr *e)
{
	buf_puts(b, "(object");
	for (size_t i = 0; i < e->object.nitems; i++) {
		const struct object_item *it = &e->object.items[i];

		buf_putc(b, ' ');
		if (it->key_is_name)
			buf_str(b, it->key->scope.root);
		else
			show_expr(b, it->key);
		buf_putc(b, '=');
		show_expr(b, it->value);
	}
	buf_putc(b, ')');
}

static inline void show_call(struct buf *b, const struct expr *e)
{
	buf_addf(b, "(%.*s%s", STR_ARG(e->call.name),
		 e->call.expand_final ? "..." : "");
	show_rest(b, e->call.args, e->call.nargs);
}

static inline void show_operator(struct buf *b, const struct expr *e)
{
	static const char *const names[] = {
		"!", "neg", "||", "&&", "==", "!=", "<", "<=",
		">", ">=", "+", "-", "*", "/", "%",
	};
	const struct expr *parts[] = { e->op.left, e->op.right };

	buf_addf(b, "(%s", names[e->op.op]);
	show_rest(b, parts, e->kind == EXPR_UNARY ? 1 : 2);
}

static void show_expr(struct buf *b, const struct expr *e)
{
	const struct expr *parts[3];

	switch (e->kind) {
	case EXPR_LITERAL:
		show_literal(b, e->literal);
		break;
	case EXPR_TEMPLATE:
	case EXPR_TUPLE:
	case EXPR_WRAP:
	case EXPR_PARENS:
		buf_puts(b, e->kind == EXPR_TEMPLATE ? "(template" :
			    e->kind == EXPR_TUPLE    ? "(tuple" :
			    e->kind == EXPR_WRAP     ? "(wrap" : "(parens");
		show_rest(b, e->items, e->nitems);
		break;
	case EXPR_SCOPE:
		show_traversal(b, &e->scope);
		break;
	case EXPR_GET_ATTR:
		buf_puts(b, "(get ");
		show_expr(b, e->get.on);
		buf_putc(b, ' ');
		show_step(b, &e->get.step);
		buf_putc(b, ')');
		break;
	case EXPR_INDEX:
		buf_puts(b, "(index");
		parts[0] = e->get.on;
		parts[1] = e->get.key;
		show_rest(b, parts, 2);
		break;
	case EXPR_SPLAT:
		buf_puts(b, e->splat.full ? "([*]" : "(.*");
		parts[0] = e->splat.on;
		parts[1] = e->splat.each;
		show_rest(b, parts, 2);
		break;
	case EXPR_SPLAT_ITEM:
		buf_puts(b, "_");
		break;
	case EXPR_CALL:
		show_call(b, e);
		break;
	case EXPR_CONDITIONAL:
		buf_puts(b, "(?");
		parts[0] = e->conditional.cond;
		parts[1] = e->conditional.yes;
		parts[2] = e->conditional.no;
		show_rest(b, parts, 3);
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
		show_operator(b, e);
		break;
	case EXPR_OBJECT:
		show_object(b, e);
		break;
	case EXPR_FOR:
	case EXPR_FOR_TEMPLATE:
		show_for(b, e);
		break;
	case EXPR_JSON:
		buf_puts(b, "json");
		break;
	}
}

static inline void show_body(struct buf *b, const struct body *body)
{
	buf_putc(b, '{');
	for (size_t i = 0; i < body->attrs.len; i++) {
		buf_addf(b, " %.*s=", STR_ARG(body->attrs.items[i].name));
		show_expr(b, body->attrs.items[i].expr.root);
	}
	for (size_t i = 0; i < body->blocks.len; i++) {
		const struct block *bl = &body->blocks.items[i];

		buf_addf(b, " %.*s", STR_ARG(bl->type));
		for (size_t k = 0; k < bl->nlabels; k++) {
			buf_putc(b, ' ');
			show_quoted(b, bl->labels[k].text);
		}
		show_body(b, bl->body);
	}
	buf_putc(b, '}');
}

/* "Summary 1:2-1:5; Summary 3:1-3:1" */
static inline void show_diags(struct buf *b, const struct diags *ds)
{
	for (size_t i = 0; i < ds->len; i++) {
		const struct diag *d = &ds->items[i];

		buf_addf(b, "%s%.*s", i ? "; " : "", STR_ARG(d->summary));
		if (range_present(&d->subject))
			buf_addf(b, " %u:%u-%u:%u", d->subject.start.line,
				 d->subject.start.column, d->subject.end.line,
				 d->subject.end.column);
	}
}

#endif
