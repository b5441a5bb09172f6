/* trigger_ref.c - see values.h */
#include "addr/reference.h"
#include "engine/run/values.h"
#include "lang/eval/eval.h"

enum { MAX_CHAIN = 100 };

static int bad_index(const struct source *src, const struct expr *key,
		     struct diags *ds)
{
	struct range at = source_range(src, key->span);

	return diag_error(
		ds, &at,
		key->kind == EXPR_SCOPE ? "Invalid index expression"
					: "Invalid expression",
		"Only constants, count.index and each.key can be index keys here.");
}

/* A key that is count.index or each.key, by the repetition data. */
static int read_key(const struct source *src, const struct expr *key,
		    const struct repetition *rep, struct step *out,
		    struct diags *ds)
{
	struct range at = source_range(src, key->span);
	struct str root, attr;

	while (key->kind == EXPR_PARENS)
		key = key->items[0];
	if (key->kind != EXPR_SCOPE || key->scope.nsteps != 1 ||
	    key->scope.steps[0].kind != STEP_ATTR)
		return bad_index(src, key, ds);
	root = key->scope.root;
	attr = key->scope.steps[0].name;
	*out = (struct step){ .kind = STEP_INDEX, .span = key->span };
	if (str_is(root, "count") && str_is(attr, "index")) {
		out->key = rep->count_index;
		if (!out->key)
			return diag_error(
				ds, &at,
				"Reference to \"count\" in non-counted context",
				"\"count\" can be used only where \"count\" is set.");
		return 0;
	}
	if (str_is(root, "each") && str_is(attr, "key")) {
		out->key = rep->each_key;
		if (!out->key)
			return diag_error(
				ds, &at,
				"Reference to \"each\" in context without for_each",
				"\"each\" can be used only where \"for_each\" is set.");
		return 0;
	}
	return bad_index(src, key, ds);
}

int trigger_reference(struct arena *a, struct expression e,
		      const struct repetition *rep, struct reference *out,
		      struct diags *ds)
{
	const struct expr *chain[MAX_CHAIN], *base = e.root;
	struct traversal_ref t = { .src = e.src, .span = e.root->span };
	VEC(struct step) steps = { 0 };
	size_t n = 0;

	if (base->kind == EXPR_JSON) {
		if (expression_traversal(a, e, &t, ds))
			return -1;
		return reference_parse(a, &t, out, ds);
	}
	while ((base->kind == EXPR_INDEX || base->kind == EXPR_GET_ATTR) &&
	       n < MAX_CHAIN) {
		chain[n++] = base;
		base = base->get.on;
	}
	if (base->kind != EXPR_SCOPE) {
		struct range at = source_range(e.src, base->span);

		return diag_error(
			ds, &at, "Invalid replace_triggered_by expression",
			"Only references to resources can stand here.");
	}
	for (size_t i = 0; i < base->scope.nsteps; i++)
		vec_push(a, &steps, base->scope.steps[i]);
	while (n--) {
		struct step s;

		if (chain[n]->kind == EXPR_GET_ATTR)
			s = chain[n]->get.step;
		else if (read_key(e.src, chain[n]->get.key, rep, &s, ds))
			return -1;
		vec_push(a, &steps, s);
	}
	t.traversal = base->scope;
	t.traversal.steps = steps.items;
	t.traversal.nsteps = steps.len;
	return reference_parse(a, &t, out, ds);
}
