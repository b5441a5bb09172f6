/*
 * apply_managed.c - creating and updating managed resources
 *
 * Planned again, compared with the plan, applied, recorded, finish_change,
 * checked by postconditions; what failed while being created is tainted, and so
 * is what waits for its provisioners or postconditions, in case nobody comes to
 * finish them.
 */
#include "engine/apply/apply_int.h"
#include "engine/run/conditions.h"
#include "engine/run/values.h"

/* Nothing to do but to look whether conditions still hold. */
static enum worked unchanged(struct op *o)
{
	static worker_step *const table[] = { op_postconditions, NULL };

	o->now = o->prior;
	return worker_go(&o->w, table);
}

static void record(struct op *o)
{
	apply_put(o->ap, &o->w.addr, STR_NONE, &o->now, o->w.schema,
		  o->w.provider);
}

static void taint(struct op *o)
{
	if (o->now.value && o->action == ACTION_CREATE)
		o->now.tainted = op_failed(o);
}

/* References see the new object from now on. */
static void publish(struct op *o)
{
	if (o->now.value)
		run_instance_set(o->inst,
				 value_copy(o->ap->run->arena, o->now.value));
}

static void run_over(void *data)
{
	struct op *o = data;

	o->provisioning = NULL;
	worker_resume(&o->w);
}

static void start_provisioners(struct op *o)
{
	const struct provision_request r = {
		.arena = o->w.a,
		.events = &o->ap->events,
		.addr = o->w.addr,
		.provisioners = o->w.block->provisioners.items,
		.n = o->w.block->provisioners.len,
		.connection = o->w.block->connection,
		.module = o->w.module,
		.rep = o->w.rep,
		.self = o->now.value,
		.run = o->ap->run,
		.ds = &o->w.ds,
		.done = run_over,
		.data = o,
	};

	o->provisioning = provision_start(&r);
}

/* --- the steps --- */

static enum worked depose_old(struct worker *w)
{
	struct op *o = op_of(w);

	if (o->change->action == ACTION_CREATE_DELETE) {
		o->deposed = o->an->deposed;
		apply_depose(o->ap, &w->addr, o->deposed, w->provider);
	}
	return WORK_NEXT;
}

static enum worked read_prior(struct worker *w)
{
	struct op *o = op_of(w);

	if (op_read(o, STR_NONE) || op_conditions(o, COND_PRECONDITION, NULL))
		return WORK_FAIL;
	return o->change->action == ACTION_NOOP ? unchanged(o) : WORK_NEXT;
}

/* Of a replacement this is the half that creates. */
static void simplify(struct op *o)
{
	if (action_renews(o->action)) {
		o->action = ACTION_CREATE;
		o->before = value_null(o->w.a, o->w.schema->block->implied);
	}
}

static enum worked start_change(struct worker *w)
{
	struct op *o = op_of(w);

	simplify(o);
	if (o->action == ACTION_NOOP)
		return unchanged(o);
	w->flight = event_start(&o->ap->events, &w->addr, STR_NONE, o->action,
				o->before);
	return WORK_NEXT;
}

static enum worked record_applied(struct worker *w)
{
	struct op *o = op_of(w);
	bool made, provisioned;

	taint(o);
	made = o->now.value && o->action == ACTION_CREATE && !o->now.tainted;
	provisioned = made && provision_wanted(&w->block->provisioners, false);
	o->unchecked = made && w->block->lifecycle->postconditions.len;
	o->now.tainted |= provisioned || o->unchecked;
	if (o->now.value) {
		o->now.dependencies = o->change->dependencies.items;
		o->now.ndependencies = o->change->dependencies.len;
	}
	/* nothing was made: an outcome, too, if the provider said so */
	if (o->now.value || o->prior.value || w->q.apply.out.object.value)
		record(o);
	if (!provisioned)
		return WORK_NEXT;
	start_provisioners(o);
	return WORK_LATER;
}

static enum worked finish_change(struct worker *w)
{
	struct op *o = op_of(w);
	bool was = o->now.tainted;

	taint(o);
	if (op_failed(o))
		o->unchecked = false;
	o->now.tainted |= o->unchecked;
	if (o->now.tainted != was)
		record(o);
	if (o->deposed.n && op_failed(o))
		apply_restore(o->ap, &w->addr, o->deposed, w->provider);
	if (op_failed(o))
		event_errored(w->flight);
	else
		event_complete(w->flight, o->now.value);
	publish(o);
	return WORK_NEXT;
}

static enum worked check_made(struct worker *w)
{
	struct op *o = op_of(w);

	o->unmet = o->now.value &&
		   op_conditions(o, COND_POSTCONDITION, o->now.value);
	return WORK_NEXT;
}

/* Whole, whatever they said: a failed one taints nothing. */
static enum worked record_checked(struct worker *w)
{
	struct op *o = op_of(w);

	if (o->unchecked) {
		o->now.tainted = false;
		record(o);
	}
	return o->unmet ? WORK_FAIL : WORK_END;
}

worker_step *const apply_managed[] = {
	op_configured, worker_get_provider, worker_provider_meta,
	depose_old,    read_prior,          REPLAN_STEPS,
	start_change,  OBJECT_STEPS,        record_applied,
	finish_change, check_made,          record_checked,
	NULL,
};
