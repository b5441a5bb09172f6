/*
 * managed.c - planning an instance of a managed resource
 *
 * The order of its steps is that of the resource instance change lifecycle: the
 * table at the end.
 */
#include "engine/plan/plan_int.h"
#include "engine/run/conditions.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "schema/objects.h"

static enum worked begin_managed(struct worker *w)
{
	struct job *j = job_of(w);
	const struct import_target *t;

	j->cbd = plan_node(j->p->pg, j->work->node)->cbd;
	if (j->it.si || j->p->pre_destroy)
		return WORK_NEXT;
	t = plan_import_target(j->p, &w->addr);
	if (t && (t->command || t->id.n || t->identity))
		j->importing = t;
	return WORK_NEXT;
}

/* The state's lifecycle settings follow the configuration at once. */
static enum worked follow_settings(struct worker *w)
{
	struct job *j = job_of(w);

	if (j->now.value && !j->importing) {
		j->now.create_before_destroy = j->cbd;
		j->now.skip_destroy = config_skips_destroy(w->block);
	}
	return WORK_NEXT;
}

/* Until the change is applied both the recorded dependencies and the
 * configured ones count. */
static void merge_dependencies(struct job *j)
{
	struct resource_object *o = &j->now;
	const struct plan_deps *deps = &j->work->deps;
	struct str *all;
	size_t n = 0;

	if (!deps->nnow)
		return;
	all = ARENA_ARRAY(j->w.a, struct str, o->ndependencies + deps->nnow);
	for (size_t i = 0; i < o->ndependencies; i++)
		all[n++] = o->dependencies[i];
	for (size_t i = 0; i < deps->nnow; i++)
		all[n++] = deps->now[i];
	str_sort(all, n);
	o->dependencies = all;
	o->ndependencies = 0;
	for (size_t i = 0; i < n; i++)
		if (!i || !str_eq(all[i], all[i - 1]))
			all[o->ndependencies++] = all[i];
}

/* --- refresh-only --- */

static enum worked set_refreshed(struct worker *w)
{
	struct job *j = job_of(w);

	job_note_state(j);
	/* References do not see an object that is gone either. */
	j->it.inst->gone = !j->now.value;
	run_instance_set(j->it.inst,
			 j->now.value ? value_copy(j->p->arena, j->now.value)
				      : &value_unknown_dynamic);
	return WORK_NEXT;
}

/* In refresh-only mode a precondition that fails is a warning; an error in its
 * expression stays an error. */
static enum worked refreshed_preconditions(struct worker *w)
{
	return worker_conditions(w, COND_PRECONDITION, NULL, NULL) ? WORK_END
								   : WORK_NEXT;
}

static worker_step *const refresh_only[] = {
	set_refreshed,
	refreshed_preconditions,
	job_postconditions,
	NULL,
};

static enum worked object_refreshed(struct worker *w)
{
	struct job *j = job_of(w);

	if (j->now.value && w->run->opts.refresh && !j->importing && !j->unread)
		merge_dependencies(j);
	j->refreshed = true;
	return j->p->skip_changes ? worker_go(w, refresh_only) : WORK_NEXT;
}

/* --- the plan --- */

static enum worked look_at_triggers(struct worker *w)
{
	struct job *j = job_of(w);

	j->triggered = job_triggered(j);
	return worker_failed(w) ? WORK_FAIL : WORK_NEXT;
}

static enum worked start_plan(struct worker *w)
{
	struct job *j = job_of(w);

	j->said_before = diags_mark(&w->ds);
	worker_plan(w, &j->now, j->triggered, j->cbd);
	return WORK_NEXT;
}

static worker_step *const planned_again[];

/* -minimal-refresh: what the state alone asks to change is read, and planned
 * again from what is there. */
static enum worked read_what_changes(struct worker *w)
{
	struct job *j = job_of(w);

	if (!j->read_to_change || w->plan.action == ACTION_NOOP)
		return WORK_NEXT;
	diags_rollback(&w->ds, j->said_before);
	j->read_to_change = j->unread = false;
	j->planned = true;
	return worker_go(w, planned_again);
}

static enum worked record_plan(struct worker *w)
{
	struct job *j = job_of(w);
	struct object_plan *x = &w->plan;
	struct change *c;

	if (j->triggered)
		x->reason = REASON_REPLACE_BY_TRIGGERS;
	c = job_change(j, x->action, x->reason, x->before, x->planned);
	if (j->importing) {
		c->import_id = j->importing->id;
		c->import_identity = j->importing->identity;
	}
	c->generated_config = j->generated;
	if (x->action == ACTION_NOOP) {
		j->now.dependencies = j->work->deps.now;
		j->now.ndependencies = j->work->deps.nnow;
	}
	job_note_state(j);
	return WORK_NEXT;
}

static bool unsupported(struct job *j)
{
	const enum action a = j->w.plan.action;

	return ((action_renews(a) || a == ACTION_CREATE) &&
		job_provisioners(j, false)) ||
	       (action_replaces(a) && job_provisioners(j, true));
}

static enum worked check_allowed(struct worker *w)
{
	struct job *j = job_of(w);

	return job_prevent_destroy(j, w->plan.action) || unsupported(j)
		       ? WORK_FAIL
		       : WORK_NEXT;
}

static enum worked publish_planned(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *v = j->it.inst->change->after;

	if (action_renews(w->plan.action)) /* not marked by its schema yet */
		v = schema_mark_sensitive(j->p->arena, v, w->schema->block);
	run_instance_set(j->it.inst, v);
	return WORK_NEXT;
}

#define RECORD_STEPS \
	record_plan, check_allowed, publish_planned, job_postconditions

static worker_step *const planned_again[] = {
	job_refresh, job_refreshed,     object_refreshed,
	start_plan,  WORKER_PLAN_STEPS, RECORD_STEPS,
	NULL,
};

worker_step *const plan_managed[] = {
	begin_managed,        job_self_reference,
	worker_provider_meta, job_destroy_setting,
	job_import,           job_imported,
	job_import_read,      READ_STEPS,
	follow_settings,      job_refresh,
	job_refreshed,        object_refreshed,
	job_generate,         look_at_triggers,
	job_configure,        start_plan,
	WORKER_PLAN_STEPS,    read_what_changes,
	RECORD_STEPS,         NULL,
};
