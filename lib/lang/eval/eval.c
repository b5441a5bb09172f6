/*
 * eval.c - entry points of the evaluator, the dispatch over node kinds, and
 * the kinds that need no file of their own; see eval.h
 */
#include "lang/eval/eval_int.h"
#include "lang/eval/eval.h"
#include "value/convert.h"
#include "value/marks.h"

/* Expressions are limited in depth, but values that contain others may grow
 * through any number of named ones. */
const struct value *eval_not_too_deep(struct eval *ev, const struct expr *e,
				      const struct value *v)
{
	if (v->type->depth <= TYPE_DEPTH_MAX)
		return v;
	return eval_fail(ev, NULL, e->span, NULL, "Value nested too deeply",
			 "Values may be nested to %d levels.", TYPE_DEPTH_MAX);
}

const struct value *eval_attempt(struct eval *ev, const struct expr *e,
				 struct diags *ds)
{
	struct diags *was = ev->diags;
	bool quiet = ev->quiet;
	const struct value *v;

	ev->diags = ds;
	ev->quiet = true;
	v = eval_expr(ev, e);
	ev->quiet = quiet;
	ev->diags = was;
	return v;
}

static bool may_become_ephemeral(const struct eval *ev, const struct value *v)
{
	return !value_wholly_known(v) &&
	       !value_has_mark_deep(v, MARK_EPHEMERAL) &&
	       !(ev->scope && ev->scope->validating);
}

const struct value *eval_still_ephemeral(struct eval *ev, const struct value *v,
					 const struct value *of)
{
	return may_become_ephemeral(ev, v) &&
			       value_has_mark_deep(of, MARK_EPHEMERAL)
		       ? value_with_marks(ev->arena, v, &marks_ephemeral)
		       : v;
}

const struct value *eval_still_ephemeral_by(struct eval *ev,
					    const struct value *v,
					    const struct expr *e)
{
	struct arena scratch = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&scratch);

	if (may_become_ephemeral(ev, v))
		v = eval_still_ephemeral(ev, v, eval_attempt(ev, e, &ds));
	arena_release(&scratch);
	return v;
}

static const struct value *eval_tuple(struct eval *ev, const struct expr *e)
{
	const struct value *small[8] = { NULL };
	const struct value **vals = small;

	if (e->nitems > sizeof(small) / sizeof(small[0]))
		vals = ARENA_ARRAY(ev->arena, const struct value *, e->nitems);
	for (size_t i = 0; i < e->nitems; i++)
		vals[i] = eval_expr(ev, e->items[i]);
	return eval_not_too_deep(ev, e,
				 value_tuple(ev->arena, vals, e->nitems));
}

/* The text of an item's key; STR_NONE if it cannot be known (then a
 * diagnostic was added or the key is unknown). */
static struct str item_key(struct eval *ev, const struct object_item *item,
			   const struct marks **marks)
{
	const struct marks *m;
	const struct value *key;
	struct str why;
	size_t errors = ev->diags->errors;

	if (item->key->kind == EXPR_SCOPE && item->key->scope.nsteps) {
		eval_fail(ev, NULL, item->key->span, NULL,
			  "Ambiguous attribute key",
			  "Write this key in parentheses if it is a reference,"
			  " or in quotes if it is a name with dots in it.");
		return STR_NONE;
	}
	key = eval_expr(ev, item->key);
	if (ev->diags->errors != errors)
		return STR_NONE;
	if (value_is_null(key)) {
		eval_fail(ev, item->key, item->value->span, NULL,
			  "Null value as key", "A key must not be null.");
		return STR_NONE;
	}
	key = unmarked(ev->arena, key, &m);
	*marks = marks_join(ev->arena, *marks, m);
	key = eval_to(ev, key, &type_string, &why);
	if (!key) {
		eval_fail(ev, item->key, item->key->span, NULL,
			  "Incorrect key type",
			  "This value cannot be a key: %.*s.", STR_ARG(why));
		return STR_NONE;
	}
	if (!value_is_known(key))
		return STR_NONE;
	return key->string.p ? key->string : STR("");
}

static const struct value *eval_object(struct eval *ev, const struct expr *e)
{
	size_t n = e->object.nitems, have = 0;
	const struct marks *marks = NULL;
	const struct value *unknown = &value_unknown_dynamic;
	const struct value *vals_[8] = { NULL }, **vals = vals_, *v;
	struct str keys_[8] = { STR_NONE }, *keys = keys_;
	bool known = true;

	if (n > 8) {
		vals = ARENA_ARRAY(ev->arena, const struct value *, n);
		keys = ARENA_ARRAY(ev->arena, struct str, n);
	}
	for (size_t i = 0; i < n; i++) {
		const struct object_item *item = &e->object.items[i];
		struct str key;

		if (item->key_is_name)
			key = item->key->scope.root;
		else
			key = item_key(ev, item, &marks);
		v = eval_expr(ev, item->value);
		unknown = eval_still_ephemeral(ev, unknown, v);
		vals[have] = v;
		keys[have] = key;
		if (key.p)
			have++;
		else
			known = false;
	}
	if (!known)
		return eval_still_ephemeral(
			ev, unknown, marked(ev->arena, &value_true, marks));
	return marked(ev->arena,
		      eval_not_too_deep(
			      ev, e, value_object(ev->arena, keys, vals, have)),
		      marks);
}

static const struct value *dispatch(struct eval *ev, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_LITERAL:
		return e->literal;
	case EXPR_TEMPLATE:
		return eval_template(ev, e);
	case EXPR_WRAP:
	case EXPR_PARENS:
		return eval_expr(ev, e->items[0]);
	case EXPR_FOR_TEMPLATE:
		return eval_for_template(ev, e);
	case EXPR_SCOPE:
	case EXPR_GET_ATTR:
	case EXPR_INDEX:
		return eval_reference(ev, e);
	case EXPR_SPLAT:
		return eval_splat(ev, e);
	case EXPR_SPLAT_ITEM:
		return ev->item ? ev->item : &value_unknown_dynamic;
	case EXPR_CALL:
		return eval_call(ev, e);
	case EXPR_CONDITIONAL:
		return eval_conditional(ev, e);
	case EXPR_UNARY:
		return eval_unary(ev, e);
	case EXPR_BINARY:
		return eval_binary(ev, e);
	case EXPR_TUPLE:
		return eval_tuple(ev, e);
	case EXPR_OBJECT:
		return eval_object(ev, e);
	case EXPR_FOR:
		return eval_for(ev, e);
	case EXPR_JSON:
		return eval_json(ev, e);
	}
	return &value_unknown_dynamic;
}

const struct value *eval_expr(struct eval *ev, const struct expr *e)
{
	const struct value *v;

	if (e->kind == EXPR_LITERAL)
		return e->literal;
	if (ev->depth >= EVAL_MAX_DEPTH)
		return eval_fail(
			ev, NULL, e->span, NULL, "Expression nested too deeply",
			"Expressions may be nested to %d levels, templates they call included.",
			EVAL_MAX_DEPTH);
	ev->depth++;
	v = dispatch(ev, e);
	ev->depth--;
	return v;
}

const struct value *eval_with_locals(struct arena *a, const struct scope *s,
				     const struct eval_local *locals,
				     struct expression e, struct diags *ds)
{
	struct eval ev = {
		.arena = a,
		.diags = ds,
		.top = ds,
		.scope = s,
		.told = ds->len,
		.src = e.src,
		.locals = locals,
	};

	return e.root ? eval_expr(&ev, e.root) : &value_null_dynamic;
}

const struct value *eval_sub(struct eval *ev, const struct scope *s,
			     struct expression e, struct diags *ds)
{
	struct eval sub = {
		.arena = ev->arena,
		.diags = ds,
		.top = ds,
		.scope = s,
		.told = ds->len,
		.src = e.src,
		.depth = ev->depth,
		.template_depth = ev->template_depth,
		.quiet = ev->quiet,
	};

	return e.root ? eval_expr(&sub, e.root) : &value_null_dynamic;
}

const struct value *eval_expression(struct arena *a, const struct scope *s,
				    struct expression e, struct diags *ds)
{
	const struct value *v = eval_with_locals(a, s, NULL, e, ds);
	struct range at;

	if (!value_has_mark_deep(v, MARK_DEPRECATED))
		return v;
	if (s && s->console) /* showing a value is no use of it */
		return value_without_marks(a, v, MARK_DEPRECATED);
	at = expression_range(e);
	return eval_report_deprecated(a, v, &at, ds);
}

const struct value *eval_convert(struct arena *a, const struct scope *s,
				 struct expression e, const struct type *t,
				 const char *summary, struct diags *ds)
{
	const struct value *v = eval_expression(a, s, e, ds), *c;
	struct verror err = { 0 };
	struct range at;

	c = v->type == t ? v : convert(a, v, t, &err);
	if (c)
		return c;
	at = expression_range(e);
	diag_error(ds, &at, summary ? summary : "Incorrect value type",
		   "The value of this expression does not fit: %.*s.",
		   STR_ARG(verror_text(a, &err)));
	eval_explain(ds->arena, s, NULL, e, 0, &ds->items[ds->len - 1]);
	return value_unknown(a, type_without_optional(t));
}

const struct value *eval_to(struct eval *ev, const struct value *v,
			    const struct type *t, struct str *why)
{
	struct verror err = { 0 };

	if (v->type == t || t == &type_dynamic)
		return v;
	v = convert(ev->arena, v, t, &err);
	if (!v)
		*why = verror_text(ev->arena, &err);
	return v;
}
