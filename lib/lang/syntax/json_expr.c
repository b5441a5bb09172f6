/*
 * json_expr.c - expressions in JSON syntax; see json_syntax.c
 */
#include "lang/syntax/json_syntax.h"

struct expression json_expression(struct arena *a, const struct source *src,
				  struct json_node *n)
{
	struct expr *e = ARENA_NEW(a, struct expr);

	e->kind = EXPR_JSON;
	e->span = n->span;
	e->height = 1;
	e->json = n;
	return (struct expression){ src, e };
}

/*
 * The text of a string as a source of its own.  If escapes were resolved,
 * columns behind them differ from the file's; nothing better is known.
 */
static struct source *string_source(struct arena *a, struct expression e,
				    bool inside)
{
	struct pos at = source_pos(e.src, e.root->span.start);

	if (inside) {
		at.column++;
		at.byte++;
	}
	return source_fragment(a, e.src->name, e.root->json->text, at);
}

struct expression json_string_template(struct expression e, struct diags *ds)
{
	struct json_node *n = e.root->json;

	if (!n->template.root)
		n->template = parse_template(
			e.src->arena, string_source(e.src->arena, e, true), ds);
	return n->template;
}

struct expression json_string_expression(struct arena *a, struct expression e,
					 struct diags *ds)
{
	if (e.root->json->kind != JSON_NODE_STRING)
		return EXPRESSION_NONE;
	return parse_expression(a, string_source(a, e, false), ds);
}
