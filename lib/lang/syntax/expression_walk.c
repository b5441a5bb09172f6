/*
 * expression_walk.c - what an expression refers to and what it calls; see ast.h
 *
 * Recursion is as deep as the tree is high, which the parser bounds; the left
 * operands of binary operators, which it does not count, are followed in a
 * loop.
 */
#include <stdalign.h>

#include "lang/syntax/walk.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/json_syntax.h"

/* Names that a for expression brings along. */
struct bound_name {
	const struct bound_name *outer;
	struct str key, value;
};

struct walk {
	struct arena *a;
	const struct source *src;
	const struct bound_name *locals;
	const struct expr *picks;   /* of the next node, a scope */
	struct traversal_vec *vars; /* NULL: not asked for */
	struct call_vec *calls;     /* likewise */
};

static void visit(struct walk *w, const struct expr *e);

static bool is_local(const struct walk *w, struct str name)
{
	for (const struct bound_name *l = w->locals; l; l = l->outer)
		if (str_eq(name, l->value) ||
		    (l->key.n && str_eq(name, l->key)))
			return true;
	return false;
}

static void visit_scope(struct walk *w, const struct expr *e)
{
	struct traversal_ref ref = { w->src, e->scope, e->span, w->picks };

	if (w->vars && !is_local(w, e->scope.root))
		vec_push(w->a, w->vars, ref);
}

static void visit_index(struct walk *w, const struct expr *e)
{
	if (e->get.on->kind == EXPR_SCOPE)
		w->picks = e->get.key;
	visit(w, e->get.on);
	w->picks = NULL;
	visit(w, e->get.key);
}

static void visit_for(struct walk *w, const struct expr *e)
{
	struct bound_name l = { w->locals, e->for_.key_name,
				e->for_.value_name };

	visit(w, e->for_.coll);
	w->locals = &l;
	if (e->for_.key)
		visit(w, e->for_.key);
	visit(w, e->for_.value);
	if (e->for_.cond)
		visit(w, e->for_.cond);
	w->locals = l.outer;
}

static void visit_binary(struct walk *w, const struct expr *e)
{
	alignas(16) char room[256];
	struct arena scratch = ARENA_IN(room);
	VEC(const struct expr *) rights = { 0 };

	for (; e->kind == EXPR_BINARY; e = e->op.left)
		vec_push(&scratch, &rights, e->op.right);
	visit(w, e);
	while (rights.len)
		visit(w, rights.items[--rights.len]);
	arena_release(&scratch);
}

static void visit_object(struct walk *w, const struct expr *e)
{
	for (size_t i = 0; i < e->object.nitems; i++) {
		const struct object_item *it = &e->object.items[i];

		if (!it->key_is_name)
			visit(w, it->key);
		visit(w, it->value);
	}
}

static void visit_string(struct walk *w, struct json_node *n)
{
	struct arena scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&scratch);
	struct expr x = { .kind = EXPR_JSON, .span = n->span, .json = n };
	struct expression e = { w->src, &x };
	struct walk inner = *w;

	if (!memchr(n->text.p, '$', n->text.n) &&
	    !memchr(n->text.p, '%', n->text.n))
		return;
	e = json_string_template(e, &quiet);
	if (e.root) {
		inner.src = e.src;
		visit(&inner, e.root);
	}
	arena_release(&scratch);
}

static void visit_json(struct walk *w, struct json_node *n)
{
	switch (n->kind) {
	case JSON_NODE_STRING:
		visit_string(w, n);
		break;
	case JSON_NODE_ARRAY:
		for (uint32_t i = 0; i < n->len; i++)
			visit_json(w, &n->items[i]);
		break;
	case JSON_NODE_OBJECT:
		for (uint32_t i = 0; i < n->len; i++) {
			visit_string(w, &n->props[i].name);
			visit_json(w, &n->props[i].value);
		}
		break;
	default:
		break;
	}
}

static void visit(struct walk *w, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_LITERAL:
	case EXPR_SPLAT_ITEM:
		break;
	case EXPR_TEMPLATE:
	case EXPR_TUPLE:
	case EXPR_WRAP:
	case EXPR_PARENS:
		for (size_t i = 0; i < e->nitems; i++)
			visit(w, e->items[i]);
		break;
	case EXPR_SCOPE:
		visit_scope(w, e);
		break;
	case EXPR_GET_ATTR:
		visit(w, e->get.on);
		break;
	case EXPR_INDEX:
		visit_index(w, e);
		break;
	case EXPR_SPLAT:
		visit(w, e->splat.on);
		visit(w, e->splat.each);
		break;
	case EXPR_CALL:
		if (w->calls)
			vec_push(w->a, w->calls,
				 (struct call_ref){ w->src, e->call.name,
						    e->call.name_span });
		for (size_t i = 0; i < e->call.nargs; i++)
			visit(w, e->call.args[i]);
		break;
	case EXPR_CONDITIONAL:
		visit(w, e->conditional.cond);
		visit(w, e->conditional.yes);
		visit(w, e->conditional.no);
		break;
	case EXPR_UNARY:
		visit(w, e->op.left);
		break;
	case EXPR_BINARY:
		visit_binary(w, e);
		break;
	case EXPR_OBJECT:
		visit_object(w, e);
		break;
	case EXPR_FOR:
	case EXPR_FOR_TEMPLATE:
		visit_for(w, e);
		break;
	case EXPR_JSON:
		visit_json(w, e->json);
		break;
	}
}

void expression_uses(struct arena *a, struct expression e,
		     struct traversal_vec *vars, struct call_vec *calls)
{
	struct walk w = { .a = a, .src = e.src, .vars = vars, .calls = calls };

	if (e.root)
		visit(&w, e.root);
}

void expression_variables(struct arena *a, struct expression e,
			  struct traversal_vec *out)
{
	expression_uses(a, e, out, NULL);
}

void expression_calls(struct arena *a, struct expression e,
		      struct call_vec *out)
{
	expression_uses(a, e, NULL, out);
}
