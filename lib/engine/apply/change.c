/*
 * change.c - creating and updating managed resources
 *
 * Planned again, compared with the plan, applied, recorded, provisioned,
 * checked by postconditions; what failed while being created is tainted.
 */
#include "engine/apply/apply_int.h"

static void done(struct op *o)
{
	if (o->now.value)
		op_conditions(o, COND_POSTCONDITION, o->now.value);
	if (!op_must_wait(o))
		op_end(o);
}

/* Nothing to do but to look whether conditions still hold. */
static void unchanged(struct op *o)
{
	o->now = o->prior;
	op_step(o, done);
}

static void record(struct op *o)
{
	apply_put(o->ap, &o->change->addr, STR_NONE, &o->now, o->schema,
		  o->provider);
}

static void taint(struct op *o)
{
	if (op_failed(o) && o->now.value && o->action == ACTION_CREATE)
		o->now.tainted = true;
}

/* References see the new object from now on. */
static void publish(struct op *o)
{
	if (o->now.value)
		run_instance_set(o->inst, value_copy(o->ap->run->arena,
						     o->now.value));
}

static void provisioned(void *data)
{
	struct op *o = data;
	bool was = o->now.tainted;

	o->provisioning = NULL;
	taint(o);
	if (o->now.tainted != was)
		record(o);
	if (o->deposed.n && op_failed(o))
		apply_restore(o->ap, &o->change->addr, o->deposed,
			      o->provider);
	if (op_failed(o))
		event_errored(o->flight);
	else
		event_complete(o->flight, o->now.value);
	publish(o);
	op_step(o, done);
}

static void provision(struct op *o)
{
	const struct cfg_resource *c = o->inst->resource->config;
	struct provision_request r = {
		.arena = o->a,
		.events = &o->ap->events,
		.addr = o->change->addr,
		.provisioners = c->provisioners.items,
		.n = c->provisioners.len,
		.module = o->module,
		.rep = o->rep,
		.self = o->now.value,
		.run = o->ap->run,
		.ds = &o->ds,
		.done = provisioned,
		.data = o,
	};

	o->provisioning = provision_start(&r);
}

static void applied(struct op *o)
{
	const struct cfg_resource *c = o->inst->resource->config;

	taint(o);
	if (o->now.value) {
		o->now.dependencies = o->change->dependencies;
		o->now.ndependencies = o->change->ndependencies;
	}
	/* nothing was made: an outcome, too, if the provider said so */
	if (o->now.value || o->prior.value || o->q.state)
		record(o);
	if (o->now.value && o->action == ACTION_CREATE && !o->now.tainted &&
	    provision_wanted(&c->provisioners, false))
		provision(o);
	else
		provisioned(o);
}

/* Of a replacement this is the half that creates. */
static void simplify(struct op *o)
{
	if (action_replaces(o->action) || o->action == ACTION_FORGET_CREATE) {
		o->action = ACTION_CREATE;
		o->before = value_null(o->a, o->schema->block->implied);
	}
}

static void replanned(struct op *o)
{
	if (!op_failed(o))
		apply_check_replan(o);
	if (op_failed(o)) {
		op_end(o);
		return;
	}
	simplify(o);
	if (o->action == ACTION_NOOP) {
		unchanged(o);
		return;
	}
	o->flight = event_start(&o->ap->events, &o->change->addr, STR_NONE,
				o->action, o->before);
	apply_object(o, o->inst->resource->config->body, applied);
}

static void prepared(struct op *o)
{
	int rc = op_read(o, STR_NONE) ||
		 op_conditions(o, COND_PRECONDITION, NULL);

	if (op_must_wait(o))
		return;
	if (rc)
		op_end(o);
	else if (o->change->action == ACTION_NOOP)
		unchanged(o);
	else
		apply_replan(o, replanned);
}

static void ready(struct op *o)
{
	if (o->change->action == ACTION_CREATE_DELETE) {
		o->deposed = o->an->deposed;
		apply_depose(o->ap, &o->change->addr, o->deposed,
			     o->provider);
	}
	op_step(o, prepared);
}

void apply_managed(struct op *o)
{
	op_configured(o, ready);
}
