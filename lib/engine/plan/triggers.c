/*
 * triggers.c - lifecycle { replace_triggered_by }: a planned change of the
 * object that an element names asks for replacement
 */
#include "engine/plan/plan_int.h"
#include "addr/reference.h"
#include "engine/run/expand.h"
#include "engine/run/run_int.h"
#include "engine/run/values.h"
#include "value/value.h"

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
			    ? path_attr(j->w.a, p, r->rest[i].name)
			    : path_index(j->w.a, p, r->rest[i].key);
	before = path_get(j->w.a, c->before, p);
	after = path_get(j->w.a, c->after, p);
	if (!before || !after)
		return before != after;
	return !value_equal_unmarked(before, after);
}

/* A resource as a whole means all its instances, but an attribute is that of
 * the instance that is named. */
static bool names(const struct reference *r, const struct run_instance *i)
{
	return (r->key.kind == KEY_NONE && !r->nrest) ||
	       inst_key_equal(r->key, i->key);
}

static bool resource_changes(struct job *j, const struct reference *r,
			     struct run_resource *rr)
{
	bool whole = r->key.kind == KEY_NONE && !r->nrest;
	const struct change *first = NULL;

	for (size_t i = 0; i < rr->exp.n; i++) {
		const struct change *c = rr->instances[i].change;

		if (!c || !names(r, &rr->instances[i]))
			continue;
		if (!first)
			first = c;
		if (!r->nrest && can_trigger(c))
			return true;
	}
	if (first)
		return r->nrest && attribute_changes(j, r, first);
	/* A destroyed object does not trigger, but it exists. */
	if (!rr->prior || (!whole && !state_instance(rr->prior, r->key))) {
		const struct run_module *m = j->it.rr->module;
		struct str where = m->parent ? m->path : STR("the root module");
		struct buf b = BUF_INIT;

		reference_print(&b, r);
		diag_error(
			&j->w.ds, NULL,
			arena_printf(j->w.ds.arena,
				     "no change found for %.*s in %.*s",
				     STR_ARG(buf_view(&b)), STR_ARG(where)),
			"replace_triggered_by of %.*s names something that does not exist.",
			STR_ARG(j->w.text));
		buf_release(&b);
	}
	return false;
}

bool job_triggered(struct job *j)
{
	const struct cfg_lifecycle *l = j->work->config->lifecycle;

	for (size_t i = 0; i < l->replace_triggered_by.len; i++) {
		struct expression e = l->replace_triggered_by.items[i];
		struct range at = expression_range(e);
		struct run_resource *rr;
		struct reference r;

		if (trigger_reference(j->w.a, e, &j->w.rep, &r, &j->w.ds))
			continue;
		if (r.kind != REF_RESOURCE)
			continue;
		rr = run_resource(j->it.rr->module, &r.resource, &j->w.ds);
		if (!rr) {
			diag_error(
				&j->w.ds, &at,
				"Reference to undeclared resource",
				"%.*s names a resource that %.*s does not declare.",
				STR_ARG(expression_text(e)),
				STR_ARG(cfg_module_display(
					j->work->config->module)));
			continue;
		}
		if (resource_changes(j, &r, rr))
			return true;
	}
	return false;
}
