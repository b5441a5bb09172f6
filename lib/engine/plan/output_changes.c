/* output_changes.c - output values: preconditions, allowed values, and changes
 * of the root module's */
#include <stdlib.h>

#include "engine/plan/plan_int.h"
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "engine/run/conditions.h"
#include "value/value.h"
#include "value/marks.h"

static int conditions(struct plan_work *w, struct run_module *m,
		      const struct cfg_output *o)
{
	bool failed = false; /* already reported: o is evaluated, too */

	return module_output_conditions(m, o,
					w->p->skip_changes || w->p->pre_destroy,
					&failed, &w->diags);
}

static void add_change(struct plan *p, struct str name, enum action action,
		       const struct value *before, const struct value *after,
		       bool sensitive)
{
	struct output_change c = {
		.name = name,
		.action = action,
		.before = before ? value_unmark_deep(p->arena, before, NULL)
				 : &value_null_dynamic,
		.after = after,
		.sensitive = sensitive,
	};

	vec_push(p->arena, &p->outputs, c);
}

static void root_change(struct plan *p, const struct cfg_output *o,
			const struct value *v)
{
	const struct state_output *was = state_output_entry(p->state, o->name);
	const struct value *before = was ? was->value : NULL;
	bool sensitive = before && value_has_mark_deep(before, MARK_SENSITIVE);
	bool same_deprecation =
		str_eq(was ? was->deprecated : STR_NONE, o->deprecated);
	enum action action = ACTION_UPDATE;

	if (value_is_null(v) && (!before || value_is_null(before)) &&
	    same_deprecation)
		action = ACTION_NOOP;
	else if (!before)
		action = ACTION_CREATE;
	else if (value_wholly_known(v) && value_equal_unmarked(v, before) &&
		 o->sensitive == sensitive && same_deprecation)
		action = ACTION_NOOP;
	add_change(p, o->name, action, before, v, sensitive || o->sensitive);
}

/* There is something to check, though destroying does not. */
static void name_check(struct plan *p, const struct cfg_output *o)
{
	checks_expanded(&p->run->checks, p->run->root->config, CHECK_OUTPUT,
			o->name, NULL);
	if (o->preconditions.len)
		module_check(p->run->root, CHECK_OUTPUT, o->name);
}

static void root_destroy(struct plan *p, struct str name)
{
	const struct state_output *was = state_output_entry(p->state, name);

	if (was)
		add_change(p, name, ACTION_DELETE, was->value,
			   &value_null_dynamic,
			   value_has_mark_deep(was->value, MARK_SENSITIVE));
}

static void note_settled(struct plan *p, struct run_module *m,
			 const struct cfg_output *o)
{
	struct settled_output settled;

	settled.value = run_output_doubtful(m, o);
	if (!settled.value)
		return;
	settled.address = run_address(p->arena, m, "output.", o->name);
	vec_push(p->arena, &p->settled_outputs, settled);
}

static void one(struct plan_work *w, struct run_module *m,
		const struct cfg_output *o)
{
	struct plan *p = w->p;
	const struct run_mark mark = run_mark(p->run, &w->diags);
	const size_t errors = w->diags.errors;
	bool failed = false;
	const struct value *v;

	if (conditions(w, m, o)) {
		w->failed = true;
		return;
	}
	v = run_output(m, o, &failed, &w->diags);
	if (failed || w->diags.errors != errors ||
	    run_output_refused(m, o, v, &w->diags)) {
		w->failed = true;
		return;
	}
	if (run_waits(&mark))
		return;
	if (!m->parent)
		root_change(p, o, v);
	else if (p->mode == RUN_DESTROY)
		return;
	else
		note_settled(p, m, o);
	if (m->parent && (!value_is_null(v) || o->deprecated.n))
		vec_push(p->arena, &p->module_outputs,
			 ((struct module_output){ m, o }));
	p->has_outputs = true;
}

void plan_output(struct plan_work *w)
{
	struct plan *p = w->p;
	const struct graph_node *n = &p->pg->g->nodes.items[w->node];
	const struct cfg_output *o = n->object;
	struct run_module_vec modules = { 0 };

	if (p->mode == RUN_DESTROY && !n->module->parent) {
		root_destroy(p, o->name);
		if (!target_set_narrows(&p->run->opts.only))
			name_check(p, o);
		return;
	}
	plan_modules(w, n, &modules);
	if (!w->failed)
		checks_expanded(&p->run->checks, n->module, CHECK_OUTPUT,
				o->name, NULL);
	for (size_t i = 0; i < modules.len; i++)
		one(w, modules.items[i], o);
}

static int by_name(const void *x, const void *y)
{
	const struct output_change *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

void plan_outputs_finish(struct plan *p)
{
	const struct map *outputs = &p->run->root->config->outputs;
	const struct state_output_list outs = state_outputs_sorted(p->state);
	bool targeted = target_set_narrows(&p->run->opts.only);

	for (size_t i = 0; i < outs.len && !targeted; i++) {
		struct str name = outs.items[i].name;

		if (!map_has(outputs, name))
			root_destroy(p, name);
	}
	if (p->outputs.len)
		qsort(p->outputs.items, p->outputs.len,
		      sizeof(*p->outputs.items), by_name);
}

bool plan_output_now(const struct plan *p, const struct output_change *c,
		     struct state_output *out)
{
	const struct cfg_output *o =
		map_get(&p->run->root->config->outputs, c->name);

	*out = (struct state_output){ .name = c->name };
	if (c->action == ACTION_DELETE || !c->after || !o ||
	    !value_wholly_known(c->after))
		return false;
	if (value_is_null(c->after))
		return true;
	out->value = value_unmark_deep(p->arena, c->after, NULL);
	if (o->sensitive)
		out->value = value_with_marks(p->arena, out->value,
					      &marks_sensitive);
	out->deprecated = o->deprecated;
	return true;
}
