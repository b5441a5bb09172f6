/*
 * replan.c - planning an instance again, with all that is known now
 *
 * The provider validates and plans once more on the final configuration; the
 * result must be a completion of what was planned, and nothing else.
 */
#include "engine/apply/apply_int.h"
#include "engine/object/objchange.h"

static bool forced(const struct op *o)
{
	const struct apply_input *in = o->ap->in;

	for (size_t i = 0; i < in->replace.len; i++)
		if (instance_addr_equal(&in->replace.items[i],
					&o->change->addr))
			return true;
	return false;
}

static void answered(struct op *o)
{
	object_plan_answered(&o->plan);
}

static void call(struct object_plan *x, enum provider_call call)
{
	struct op *o = x->data;

	op_call(o, call, o->inst->resource->config->body, answered);
}

/* OpenTofu evaluates the configuration to plan again and, if that comes out
 * well, to apply, and says each time what in it is deprecated. */
static void tell_deprecated(struct op *o, struct str address)
{
	const size_t before = o->ds.len;

	body_report_deprecated(o->a, o->inst->resource->config->body,
			       o->config, &o->ds);
	if (address.n)
		diags_address(&o->ds, before, address);
}

static void planned(struct object_plan *x)
{
	struct op *o = x->data;

	if (!op_failed(o))
		tell_deprecated(o, STR_NONE);

	o->action = x->action;
	/* The old object is gone already, so what is left is to create. */
	if (o->action == ACTION_CREATE && action_replaces(o->change->action))
		o->action = o->change->action;
	o->before = x->before;
	o->planned = x->planned;
	o->planned_private = x->planned_private;
	o->planned_identity = x->planned_identity;
	o->replanned(o);
}

void apply_replan(struct op *o, void (*then)(struct op *))
{
	o->replanned = then;
	o->config = op_config(o);
	if (op_must_wait(o))
		return;
	if (!o->config) {
		then(o);
		return;
	}
	tell_deprecated(o, o->text);
	o->plan = (struct object_plan){
		.arena = o->a,
		.ds = &o->ds,
		.address = o->text,
		.provider = str_c(op_provider_text(o)),
		.schema = o->schema->block,
		.lifecycle = o->inst->resource->config->lifecycle,
		.config = o->config,
		.object = o->prior.value,
		.tainted = o->prior.tainted,
		.private_data = o->prior.private_data,
		.identity = o->prior.identity,
		.meta = o->meta,
		.forced = forced(o),
		.cbd = o->change->action == ACTION_CREATE_DELETE,
		.call = call,
		.done = planned,
		.data = o,
		.q = &o->q,
	};
	object_plan_start(&o->plan);
}

/* --- is it what was planned? --- */

static void wrong_action(struct op *o)
{
	enum action was = o->change->action;
	bool ours = action_replaces(was) && action_replaces(o->action);

	diag_error(&o->ds, NULL,
		   ours ? "OpenTofu produced inconsistent final plan"
			: "Provider produced inconsistent final plan",
		   "With what became known during apply, %s changed the "
		   "planned action for %.*s from %s to %s.",
		   ours ? "planning" : op_provider_text(o), STR_ARG(o->text),
		   action_name(was), action_name(o->action));
}

/* Likely it needs what was taken out, and the provider is not to blame. */
static void wrong_after_edit(struct op *o, const struct verror *v)
{
	diag_error(&o->ds, NULL, "Edited plan does not fit",
		   "Changes were taken out of the plan, and without them "
		   "%.*s would not be what was planned: %.*s%s%.*s. Make a new "
		   "plan, with -target or -exclude if some changes are to "
		   "wait.",
		   STR_ARG(o->text), STR_ARG(path_text(o->a, v->path)),
		   v->path.len ? ": " : "", STR_ARG(v->message));
}

void apply_check_replan(struct op *o)
{
	enum action was = o->change->action;
	struct verror_vec v = { NULL, 0, 0 };
	bool edited = o->ap->in->edits.taken.len > 0;

	if (was != o->action &&
	    !(was == ACTION_FORGET_CREATE && o->action == ACTION_CREATE) &&
	    !(was == ACTION_UPDATE && o->action == ACTION_NOOP))
		wrong_action(o);
	object_compatible(o->a, o->schema->block, o->change->after, o->planned,
			  &v);
	for (size_t i = 0; i < v.len && edited; i++)
		wrong_after_edit(o, &v.items[i]);
	for (size_t i = 0; i < v.len && !edited; i++)
		diag_error(&o->ds, NULL,
			   "Provider produced inconsistent final plan",
			   "With what became known during apply, the provider "
			   "%s planned an unexpected new value for %.*s%.*s: "
			   "%.*s. This is a bug in the provider.",
			   op_provider_text(o), STR_ARG(o->text),
			   STR_ARG(path_text(o->a, v.items[i].path)),
			   STR_ARG(v.items[i].message));
}
