/*
 * triggers.c - lifecycle { replace_triggered_by }
 *
 * Its elements are references to resources, instances or attributes, where
 * index keys may be count.index or each.key.  A planned change of what is
 * named asks for replacement.
 */
#include "engine/plan_int.h"
#include "engine/triggers.h"

enum { MAX_CHAIN = 100 };

static int bad_index(const struct source *src, const struct expr *key,
		     struct diags *ds)
{
	struct range at = source_range(src, key->span);

	return diag_error(ds, &at, "Invalid index expression",
			  "Only constants, count.index and each.key can be "
			  "index keys here.");
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
			return diag_error(ds, &at,
					  "Reference to \"count\" in "
					  "non-counted context",
					  "\"count\" can be used only where "
					  "\"count\" is set.");
		return 0;
	}
	if (str_is(root, "each") && str_is(attr, "key")) {
		out->key = rep->each_key;
		if (!out->key)
			return diag_error(ds, &at,
					  "Reference to \"each\" in context "
					  "without for_each",
					  "\"each\" can be used only where "
					  "\"for_each\" is set.");
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

		return diag_error(ds, &at,
				  "Invalid replace_triggered_by expression",
				  "Only references to resources can stand "
				  "here.");
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

static bool can_trigger(const struct change *c)
{
	switch (c->action) {
	case ACTION_CREATE:
	case ACTION_UPDATE:
	case ACTION_DELETE_CREATE:
	case ACTION_CREATE_DELETE:
	case ACTION_FORGET_CREATE:
		return true;
	default:
		return false;
	}
}

/* Does what the rest of the reference names change? */
static bool attribute_changes(struct job *j, const struct reference *r,
			      const struct change *c)
{
	struct path p = { NULL, 0 };
	const struct value *before, *after;

	if (!can_trigger(c))
		return false;
	for (size_t i = 0; i < r->nrest; i++)
		p = r->rest[i].kind == STEP_ATTR
			    ? path_attr(j->a, p, r->rest[i].name)
			    : path_index(j->a, p, r->rest[i].key);
	before = path_get(j->a, c->before, p);
	after = path_get(j->a, c->after, p);
	if (!before || !after)
		return before != after;
	return !value_equal_unmarked(before, after);
}

static bool resource_changes(struct job *j, const struct reference *r,
			     struct run_resource *rr)
{
	const struct change *first = NULL;

	for (size_t i = 0; i < rr->exp.n; i++) {
		const struct change *c = rr->instances[i].change;

		if (!c || (r->key.kind != KEY_NONE &&
			   !key_equal(r->key, rr->instances[i].key)))
			continue;
		if (!first)
			first = c;
		if (!r->nrest && can_trigger(c))
			return true;
	}
	if (first)
		return r->nrest && attribute_changes(j, r, first);
	if (!rr->prior) {
		struct buf b = BUF_INIT;

		reference_print(&b, r);
		diag_error(&j->ds, NULL,
			   arena_printf(j->ds.arena,
					"no change found for %.*s in %.*s",
					STR_ARG(buf_view(&b)),
					STR_ARG(module_display(
						j->w->config->module))),
			   "replace_triggered_by of %.*s names something "
			   "that does not exist.", STR_ARG(j->text));
		buf_release(&b);
	}
	return false;
}

bool job_triggered(struct job *j)
{
	const struct cfg_lifecycle *l = &j->w->config->lifecycle;

	for (size_t i = 0; i < l->nreplace_triggered_by; i++) {
		struct expression e = l->replace_triggered_by[i];
		struct range at = expression_range(e);
		struct run_resource *rr;
		struct reference r;

		if (trigger_reference(j->a, e, &j->rep, &r, &j->ds))
			continue;
		if (r.kind != REF_RESOURCE)
			continue;
		rr = run_resource(j->it.rr->module, &r.resource, &j->ds);
		if (!rr) {
			diag_error(&j->ds, &at,
				   "Reference to undeclared resource",
				   "%.*s names a resource that %.*s does not "
				   "declare.", STR_ARG(expression_text(e)),
				   STR_ARG(module_display(
					   j->w->config->module)));
			continue;
		}
		if (resource_changes(j, &r, rr))
			return true;
	}
	return false;
}
