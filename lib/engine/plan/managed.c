/*
 * managed.c - planning an instance of a managed resource
 *
 * import or read - refresh - evaluate the configuration - plan with the
 * provider (object_plan.h) - record the change.  Each step that calls the
 * provider goes on in a callback.
 */
#include <stdlib.h>

#include "engine/plan/plan_int.h"

static void after_read(struct job *j);
static void after_refresh(struct job *j);
static void start_plan(struct job *j);
static void answered(struct job *j);
static void settle(struct job *j);

/* provider_meta of the module, for this provider. */
static int meta_config(struct job *j)
{
	const struct cfg_module *m = j->w->config->module;
	const struct schema_block *b = j->provider->provider->schema->meta;
	const size_t errors = j->ds.errors;
	const struct cfg_provider_meta *meta;
	struct run_scope s;
	struct str text;

	if (!m->provider_meta.len)
		return 0;
	text = provider_addr_text(j->a, j->provider->addr.provider);
	meta = map_get(&m->provider_meta, text);
	if (!meta)
		return 0;
	if (!b)
		return diag_error(
			&j->ds, &meta->at,
			arena_printf(j->ds.arena,
				     "Provider %.*s doesn't support "
				     "provider_meta", STR_ARG(text)),
			"%.*s belongs to a provider without provider_meta "
			"blocks.", STR_ARG(j->text));
	run_scope_init(&s, j->it.rr->module, NULL);
	j->meta = value_unmark_deep(j->a,
				    body_decode(j->a, meta->body, b, &s.scope,
						NULL, &j->ds), NULL);
	return j->ds.errors == errors ? 0 : -1;
}

void plan_managed(struct job *j)
{
	j->cbd = plan_node(j->p->pg, j->w->node)->cbd;
	if (job_self_reference(j) || meta_config(j) ||
	    job_destroy_setting(j)) {
		job_fail(j);
		return;
	}
	if (job_must_wait(j))
		return;
	j->importing = !j->it.si && !j->p->pre_destroy &&
		       plan_import_target(j->p, &j->addr);
	if (j->importing)
		job_import(j, after_refresh);
	else
		job_read(j, after_read);
}

/* The state's lifecycle settings follow the configuration at once. */
static void after_read(struct job *j)
{
	if (j->now.value) {
		j->now.create_before_destroy = j->cbd;
		j->now.skip_destroy = config_skips_destroy(j->w->config);
	}
	job_refresh(j, after_refresh);
}

static int text_order(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

/* Until the change is applied both the recorded dependencies and the
 * configured ones count. */
static void merge_dependencies(struct job *j)
{
	struct resource_object *o = &j->now;
	const struct plan_work *w = j->w;
	struct str *all;
	size_t n = 0;

	if (!w->ndependencies)
		return;
	all = ARENA_ARRAY(j->a, struct str,
			  o->ndependencies + w->ndependencies);
	for (size_t i = 0; i < o->ndependencies; i++)
		all[n++] = o->dependencies[i];
	for (size_t i = 0; i < w->ndependencies; i++)
		all[n++] = w->dependencies[i];
	qsort(all, n, sizeof(*all), text_order);
	o->dependencies = all;
	o->ndependencies = 0;
	for (size_t i = 0; i < n; i++)
		if (!i || !str_eq(all[i], all[i - 1]))
			all[o->ndependencies++] = all[i];
}

static void refreshed_conditions(struct job *j)
{
	const struct cfg_lifecycle *l = j->w->config->lifecycle;

	/* One that fails is a warning here; an error is a mistake in it. */
	if (job_conditions(j, COND_PRECONDITION, &l->preconditions, NULL))
		job_end(j);
	else
		job_postconditions(j);
}

static void refresh_only(struct job *j)
{
	const struct value *self;

	job_note_state(j);
	/* What is gone is not there for references either. */
	j->it.inst->gone = !j->now.value;
	self = j->now.value ? value_copy(j->p->arena, j->now.value)
			    : &value_unknown_dynamic;
	run_instance_set(j->it.inst, self);
	job_step(j, refreshed_conditions);
}

/* Fails, but what was refreshed is kept. */
static void fail(struct job *j)
{
	if (job_must_wait(j))
		return;
	job_note_state(j);
	job_fail(j);
}

static bool named_in_replace(const struct job *j)
{
	const struct run_options *o = &j->p->run->opts;

	for (size_t i = 0; i < o->nreplace; i++)
		if (instance_addr_equal(&o->replace[i], &j->addr))
			return true;
	return false;
}

static void after_refresh(struct job *j)
{
	const struct cfg_lifecycle *l = j->w->config->lifecycle;

	if (j->now.value && j->p->run->opts.refresh && !j->importing)
		merge_dependencies(j);
	if (j->p->skip_changes) {
		refresh_only(j);
		return;
	}
	j->triggered = job_triggered(j);
	if (job_failed(j) ||
	    job_conditions(j, COND_PRECONDITION, &l->preconditions, NULL)) {
		fail(j);
		return;
	}
	j->config = job_config(j);
	if (!j->config)
		fail(j);
	else
		start_plan(j);
}

/* --- with the provider --- */

static void call(struct object_plan *x, enum provider_call call)
{
	job_call(x->data, call, answered);
}

static void answered(struct job *j)
{
	object_plan_answered(&j->plan);
}

static void planned(struct object_plan *x)
{
	struct job *j = x->data;

	if (diags_failed(x->ds)) {
		fail(j);
		return;
	}
	if (j->triggered)
		x->reason = REASON_REPLACE_BY_TRIGGERS;
	settle(j);
}

static void start_plan(struct job *j)
{
	j->plan = (struct object_plan){
		.arena = j->a,
		.ds = &j->ds,
		.address = j->text,
		.provider = j->provider->text,
		.schema = j->schema->block,
		.lifecycle = j->w->config->lifecycle,
		.config = j->config,
		.object = j->now.value,
		.tainted = j->now.tainted,
		.private_data = j->now.private_data,
		.identity = j->now.identity,
		.meta = j->meta,
		.forced = j->triggered || named_in_replace(j),
		.cbd = j->cbd,
		.call = call,
		.done = planned,
		.data = j,
		.q = &j->q,
	};
	object_plan_start(&j->plan);
}

static bool unsupported(struct job *j)
{
	bool replaces = action_replaces(j->plan.action);

	return ((replaces || j->plan.action == ACTION_CREATE) &&
		job_provisioners(j, false)) ||
	       (replaces && j->plan.action != ACTION_FORGET_CREATE &&
		job_provisioners(j, true));
}

/* With the change that was found. */
static void settled(struct job *j)
{
	if (job_prevent_destroy(j, j->plan.action) || unsupported(j)) {
		job_fail(j);
		return;
	}
	run_instance_set(j->it.inst, j->it.inst->change->after);
	job_postconditions(j);
}

static void settle(struct job *j)
{
	const struct object_plan *x = &j->plan;
	struct import_target *import;
	struct change *c;

	c = job_change(j, x->action, x->reason, x->before, x->planned);
	if (j->importing) {
		import = plan_import_target(j->p, &j->addr);
		c->import_id = import->id;
		c->import_identity = import->identity;
		c->generated_config = j->generated;
	}
	if (x->action == ACTION_NOOP) {
		j->now.dependencies = j->w->dependencies;
		j->now.ndependencies = j->w->ndependencies;
	}
	job_note_state(j);
	job_step(j, settled);
}
