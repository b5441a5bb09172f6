/* template_tree.c - from the parts of a template to its tree */
#include "lang/syntax/syntax_int.h"

/* --- indents of <<- heredocs --- */

static bool ends_line(struct str s)
{
	return s.n && s.p[s.n - 1] == '\n';
}

/* Columns of white space that a line's first part begins with; SIZE_MAX for a
 * blank line, which has no say. */
static size_t indent_of(const struct part *part)
{
	struct str rest;

	if (part->kind != PART_TEXT)
		return 0;
	rest = text_trim_left(part->text);
	if (rest.n == 0 && ends_line(part->text))
		return SIZE_MAX;
	return text_columns(str_sub(part->text, 0, part->text.n - rest.n));
}

void template_flush(struct parser *p, size_t base)
{
	size_t least = SIZE_MAX;
	bool line_start = true;

	for (size_t i = base; i < p->parts.len; i++) {
		const struct part *part = &p->parts.items[i];

		if (line_start && part->kind == PART_END)
			break;
		if (line_start && indent_of(part) < least)
			least = indent_of(part);
		line_start = part->kind == PART_TEXT && ends_line(part->text);
	}
	if (least == SIZE_MAX || least == 0)
		return;
	line_start = true;
	for (size_t i = base; i < p->parts.len; i++) {
		struct part *part = &p->parts.items[i];

		if (line_start && part->kind == PART_TEXT &&
		    indent_of(part) != SIZE_MAX) {
			size_t n = text_column_bytes(part->text, least);

			part->text = str_sub(part->text, n, part->text.n);
			part->span.start += (uint32_t)n;
		}
		line_start = part->kind == PART_TEXT && ends_line(part->text);
	}
}

/* --- joining --- */

/* One literal of a run of texts, [from, to). */
static struct expr *join_texts(struct parser *p, size_t from, size_t to)
{
	const struct part *first = &p->parts.items[from];
	struct span span =
		span_between(first->span, p->parts.items[to - 1].span);
	struct str text = first->text;
	size_t n = 0;
	char *buf, *end;

	if (to - from == 1)
		return parser_new_string(p, span, text);
	for (size_t i = from; i < to; i++)
		n += p->parts.items[i].text.n;
	/* Usually they are neighbours in the source: no need to copy. */
	end = (char *)text.p;
	for (size_t i = from; i < to; i++) {
		struct str t = p->parts.items[i].text;

		if (t.n && end && t.p != end)
			end = NULL;
		else if (end)
			end += t.n;
	}
	if (end)
		return parser_new_string(p, span, (struct str){ text.p, n });
	buf = end = arena_alloc(p->a, n + 1);
	for (size_t i = from; i < to; i++) {
		struct str t = p->parts.items[i].text;

		memcpy(end, t.p, t.n);
		end += t.n;
	}
	*end = '\0';
	return parser_new_string(p, span, (struct str){ buf, n });
}

/* --- the nesting of directives --- */

struct tree {
	struct parser *p;
	size_t at; /* the next part */
};

static struct expr *tree_item(struct tree *t);

static const struct part *look(const struct tree *t)
{
	return &t->p->parts.items[t->at];
}

/* A template node of what was pushed on p->exprs since base; a single text is
 * not wrapped. */
static struct expr *close_template(struct parser *p, size_t base,
				   struct span span)
{
	size_t n = p->exprs.len - base;
	struct expr *const *items = n ? &p->exprs.items[base] : NULL;
	unsigned height = 0;
	struct expr *e;

	p->exprs.len = base;
	if (n == 1 && items[0]->kind == EXPR_LITERAL &&
	    items[0]->literal->type == &type_string)
		return parser_new_literal(p, span, items[0]->literal);
	for (size_t i = 0; i < n; i++)
		if (items[i]->height > height)
			height = items[i]->height;
	e = parser_new_expr(p, EXPR_TEMPLATE, span, height);
	if (e->kind == EXPR_TEMPLATE) {
		e->items = arena_dup(p->a, items, n * sizeof(*e->items));
		e->nitems = n;
	}
	return e;
}

/* An arm of a directive: what was pushed since base, or an empty text at
 * the given place. */
static struct expr *close_arm(struct parser *p, size_t base, uint32_t empty_at)
{
	struct span at = { empty_at, empty_at };

	if (p->exprs.len == base)
		vec_push(&p->scratch, &p->exprs,
			 parser_new_string(p, at, STR("")));
	at = span_between(p->exprs.items[base]->span,
			  p->exprs.items[p->exprs.len - 1]->span);
	return close_template(p, base, at);
}

static const char *directive_name(enum part_kind kind)
{
	return kind == PART_ELSE    ? "else"
	       : kind == PART_ENDIF ? "endif"
				    : "endfor";
}

static struct expr *unexpected(struct tree *t, const struct part *part,
			       const char *detail)
{
	struct parser *p = t->p;

	if (part->kind == PART_END) {
		syntax_error(p, part->span, NULL, "Unexpected end of template",
			     "%s", detail);
		return parser_new_unknown(p, part->span);
	}
	t->at++;
	syntax_error(p, part->span, NULL,
		     arena_printf(p->syntax.arena, "Unexpected %s directive",
				  directive_name(part->kind)),
		     "%s", detail);
	return parser_new_unknown(p, part->span);
}

static bool ends_arm(enum part_kind kind)
{
	return kind >= PART_ELSE;
}

/* Pushes items up to a directive that ends an arm. */
static void arm_items(struct tree *t)
{
	while (!ends_arm(look(t)->kind)) {
		struct expr *e = tree_item(t);

		vec_push(&t->p->scratch, &t->p->exprs, e);
	}
}

static const char *line_detail(struct parser *p, const char *fmt,
			       struct span at)
{
	return arena_printf(p->syntax.arena, fmt,
			    source_pos(p->src, at.start).line);
}

static struct expr *tree_if(struct tree *t)
{
	struct parser *p = t->p;
	struct part open = *look(t);
	size_t base = p->exprs.len;
	struct expr *yes = NULL, *no, *e;
	struct span end;
	unsigned h;

	t->at++;
	arm_items(t);
	end = look(t)->span;
	if (look(t)->kind == PART_ELSE) {
		yes = close_arm(p, base, open.span.end);
		t->at++;
		arm_items(t);
		end = look(t)->span;
	}
	if (look(t)->kind != PART_ENDIF) {
		p->exprs.len = base;
		return unexpected(
			t, look(t),
			look(t)->kind == PART_ELSE
				? line_detail(
					  p,
					  "The \"if\" of line %u has an \"else\" already.",
					  open.span)
				: line_detail(
					  p,
					  "The \"if\" of line %u has no \"endif\".",
					  open.span));
	}
	t->at++;
	if (!yes)
		yes = close_arm(p, base, open.span.end);
	no = close_arm(p, base, end.start);
	h = yes->height > no->height ? yes->height : no->height;
	if (open.expr->height > h)
		h = open.expr->height;
	e = parser_new_expr(p, EXPR_CONDITIONAL, span_between(open.span, end),
			    h);
	if (e->kind != EXPR_CONDITIONAL)
		return e;
	e->conditional.cond = open.expr;
	e->conditional.yes = yes;
	e->conditional.no = no;
	return e;
}

static struct expr *tree_for(struct tree *t)
{
	struct parser *p = t->p;
	struct part open = *look(t);
	size_t base = p->exprs.len;
	struct expr *value, *e;
	struct span end;

	t->at++;
	arm_items(t);
	end = look(t)->span;
	if (look(t)->kind != PART_ENDFOR) {
		p->exprs.len = base;
		return unexpected(
			t, look(t),
			look(t)->kind == PART_ELSE
				? "A \"for\" has no \"else\"."
				: line_detail(
					  p,
					  "The \"for\" of line %u has no \"endfor\".",
					  open.span));
	}
	t->at++;
	value = close_arm(p, base, open.span.end);
	e = parser_new_expr(p, EXPR_FOR_TEMPLATE, span_between(open.span, end),
			    value->height > open.expr->height
				    ? value->height
				    : open.expr->height);
	if (e->kind != EXPR_FOR_TEMPLATE)
		return e;
	e->for_.key_name = open.key_name;
	e->for_.value_name = open.value_name;
	e->for_.coll = open.expr;
	e->for_.value = value;
	e->for_.open = open.span;
	e->for_.close = end;
	return e;
}

static struct expr *tree_item(struct tree *t)
{
	const struct part *part = look(t);
	struct expr *e;
	size_t from;

	switch (part->kind) {
	case PART_TEXT:
		from = t->at;
		while (look(t)->kind == PART_TEXT)
			t->at++;
		return join_texts(t->p, from, t->at);
	case PART_EXPR:
		t->at++;
		return part->expr;
	case PART_IF:
	case PART_FOR:
		if (!parser_enter(t->p)) {
			t->at = t->p->parts.len - 1;
			return parser_new_unknown(t->p, part->span);
		}
		e = part->kind == PART_IF ? tree_if(t) : tree_for(t);
		parser_leave(t->p);
		return e;
	default:
		return unexpected(t, part, "No directive is open here.");
	}
}

struct expr *template_tree(struct parser *p, size_t base, struct span span)
{
	struct tree t = { p, base };
	size_t exprs = p->exprs.len;
	struct expr *e;

	if (p->parts.len - base == 2 && look(&t)->kind == PART_EXPR) {
		struct expr *inner = look(&t)->expr;

		e = parser_new_expr(p, EXPR_WRAP, span, inner->height);
		if (e->kind == EXPR_WRAP) {
			e->items = arena_dup(p->a, &inner, sizeof(inner));
			e->nitems = 1;
		}
		return e;
	}
	while (look(&t)->kind != PART_END) {
		e = tree_item(&t);
		vec_push(&p->scratch, &p->exprs, e);
	}
	return close_template(p, exprs, span);
}
