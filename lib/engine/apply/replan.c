/*
 * replan.c - planning an instance again, with all that is known now
 *
 * The provider validates and plans once more on the final configuration; the
 * result must be a completion of what was planned, and nothing else.
 */
#include "engine/apply/apply_int.h"
#include "engine/change/change.h"
#include "engine/object/objchange.h"
#include "engine/run/worker.h"
#include "lang/spec/decode.h"
#include "base/product.h"

/* OpenTofu evaluates the configuration to plan again and, if that succeeds, to
 * apply, and reports deprecations each time. */
static void tell_deprecated(struct op *o, struct str address)
{
	const size_t before = o->w.ds.len;

	body_report_deprecated(o->w.a, o->w.block->body, o->w.config, &o->w.ds);
	if (address.n)
		diags_address(&o->w.ds, before, address);
}

enum worked apply_replan(struct worker *w)
{
	struct op *o = op_of(w);

	w->config = op_config(o);
	if (!w->config)
		return WORK_FAIL;
	tell_deprecated(o, w->text);
	worker_plan(w, &o->prior, false,
		    o->change->action == ACTION_CREATE_DELETE);
	return WORK_NEXT;
}

static void take(struct op *o, const struct object_plan *x)
{
	o->action = x->action;
	/* The old object is gone already, so what is left is to create. */
	if (o->action == ACTION_CREATE && action_replaces(o->change->action))
		o->action = o->change->action;
	o->before = x->before;
	o->planned = x->planned;
	o->planned_private = x->planned_private;
	o->planned_identity = x->planned_identity;
}

/* --- is it what was planned? --- */

static void wrong_action(struct op *o)
{
	enum action was = o->change->action;
	bool ours = action_replaces(was) && action_replaces(o->action);

	diag_error(&o->w.ds, NULL,
		   arena_printf(o->w.ds.arena,
				"%s produced inconsistent final plan",
				ours ? product_peer() : "Provider"),
		   "With what became known during apply, %s changed the "
		   "planned action for %.*s from %s to %s.",
		   ours ? "planning" : op_provider_text(o), STR_ARG(o->w.text),
		   action_name(was), action_name(o->action));
}

/* Likely it needs what was taken out, and the provider is not to blame. */
static void wrong_after_edit(struct op *o, const struct verror *v)
{
	diag_error(&o->w.ds, NULL, "Edited plan does not fit",
		   "Changes were taken out of the plan, and without them "
		   "%.*s would not be what was planned: %.*s%s%.*s. Make a new "
		   "plan, with -target or -exclude if some changes are to "
		   "wait.",
		   STR_ARG(o->w.text), STR_ARG(path_text(o->w.a, v->path)),
		   v->path.len ? ": " : "", STR_ARG(v->message));
}

static void check(struct op *o)
{
	enum action was = o->change->action;
	struct verror_vec v = { NULL, 0, 0 };
	bool edited = o->ap->in->edits.taken.len > 0;

	if (was != o->action &&
	    !(was == ACTION_FORGET_CREATE && o->action == ACTION_CREATE) &&
	    !(was == ACTION_UPDATE && o->action == ACTION_NOOP))
		wrong_action(o);
	object_plans_compatible(o->w.a, o->w.schema->block, o->change->after,
				o->planned, &v);
	for (size_t i = 0; i < v.len && edited; i++)
		wrong_after_edit(o, &v.items[i]);
	for (size_t i = 0; i < v.len && !edited; i++)
		diag_error(&o->w.ds, NULL,
			   "Provider produced inconsistent final plan",
			   "With what became known during apply, the provider "
			   "%s planned an unexpected new value for %.*s%.*s: "
			   "%.*s. This is a bug in the provider.",
			   op_provider_text(o), STR_ARG(o->w.text),
			   STR_ARG(path_text(o->w.a, v.items[i].path)),
			   STR_ARG(v.items[i].message));
}

enum worked apply_replanned(struct worker *w)
{
	struct op *o = op_of(w);

	tell_deprecated(o, STR_NONE);
	take(o, &w->plan);
	check(o);
	return op_failed(o) ? WORK_FAIL : WORK_NEXT;
}
