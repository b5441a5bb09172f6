/*
 * eval_json.c - expressions in JSON syntax: strings are templates, arrays are
 * tuples, objects are objects whose names are templates too
 *
 * Without a scope strings are taken as they are.
 */
#include "lang/eval/eval_int.h"
#include "lang/syntax/json_syntax.h"

static const struct value *eval_node(struct eval *ev, struct json_node *n);

static bool is_template(struct str s)
{
	for (size_t i = 0; i + 1 < s.n; i++)
		if ((s.p[i] == '$' || s.p[i] == '%') &&
		    (s.p[i + 1] == '{' || s.p[i + 1] == s.p[i]))
			return true;
	return false;
}

static const struct value *eval_string(struct eval *ev, struct json_node *n)
{
	struct expr e = { .kind = EXPR_JSON, .span = n->span, .json = n };
	const struct source *was = ev->src;
	const struct value *v;
	struct expression t;

	if (!ev->scope || !is_template(n->text))
		return value_string(ev->arena, n->text);
	t = json_string_template((struct expression){ ev->src, &e }, ev->diags);
	if (!t.root)
		return &value_unknown_dynamic;
	ev->src = t.src;
	v = eval_expr(ev, t.root);
	ev->src = was;
	return v;
}

static const struct value *eval_array(struct eval *ev, struct json_node *n)
{
	const struct value **vals =
		ARENA_ARRAY(ev->arena, const struct value *, n->len);

	for (uint32_t i = 0; i < n->len; i++)
		vals[i] = eval_node(ev, &n->items[i]);
	return value_tuple(ev->arena, vals, n->len);
}

/* A property's name as a string value, which may be unknown; NULL: reported.
 */
static const struct value *eval_name(struct eval *ev, struct json_node *name)
{
	static const char summary[] = "Invalid object key expression";
	const struct value *v, *s;
	struct str why;

	v = eval_string(ev, name);
	s = eval_to(ev, v, &type_string, &why);
	if (!s) {
		eval_fail(ev, NULL, name->span, NULL, summary,
			  "This value cannot be a key: %.*s.", STR_ARG(why));
		return NULL;
	}
	if (value_is_null(s)) {
		eval_fail(ev, NULL, name->span, NULL, summary,
			  "A key must not be null.");
		return NULL;
	}
	return s;
}

static const struct value *eval_members(struct eval *ev, struct json_node *n)
{
	const struct value **vals =
		ARENA_ARRAY(ev->arena, const struct value *, n->len);
	struct str *names = ARENA_ARRAY(ev->arena, struct str, n->len);
	const struct marks *marks = NULL, *m;
	struct map seen = { 0 };
	bool known = true;
	size_t have = 0;

	for (uint32_t i = 0; i < n->len; i++) {
		const struct value *name = eval_name(ev, &n->props[i].name);
		const struct value *v = eval_node(ev, &n->props[i].value);

		if (!name)
			continue;
		if (!value_is_known(name)) {
			known = false;
			continue;
		}
		name = unmarked(ev->arena, name, &m);
		marks = marks_join(ev->arena, marks, m);
		if (map_put(ev->arena, &seen, name->string, n)) {
			eval_fail(ev, NULL, n->props[i].name.span, NULL,
				  "Duplicate object attribute",
				  "There is an attribute \"%.*s\" already.",
				  STR_ARG(name->string));
			continue;
		}
		names[have] = name->string;
		vals[have++] = v;
	}
	if (!known)
		return &value_unknown_dynamic;
	return marked(ev->arena, value_object(ev->arena, names, vals, have),
		      marks);
}

static const struct value *eval_node(struct eval *ev, struct json_node *n)
{
	switch (n->kind) {
	case JSON_NODE_NULL:
	case JSON_NODE_BOOL:
	case JSON_NODE_NUMBER:
		return n->value;
	case JSON_NODE_STRING:
		return eval_string(ev, n);
	case JSON_NODE_ARRAY:
		return eval_array(ev, n);
	case JSON_NODE_OBJECT:
		return eval_members(ev, n);
	case JSON_NODE_INVALID:
		break;
	}
	return &value_unknown_dynamic;
}

const struct value *eval_json(struct eval *ev, const struct expr *e)
{
	return eval_not_too_deep(ev, e, eval_node(ev, e->json));
}
