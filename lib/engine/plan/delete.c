/*
 * delete.c - what is destroyed or forgotten: orphans, deposed objects, and
 * everything when destroying
 */
#include "engine/plan/plan_int.h"

static void orphan_refreshed(struct job *j);
static void deposed_refreshed(struct job *j);
static void deleted(struct job *j);

/* lifecycle { destroy = false } in the configuration, or when the object was
 * last applied; a removed block says so by itself. */
static bool is_forgotten(const struct job *j)
{
	const struct removal *r = moves_removal(&j->p->moves, &j->addr);

	if (r && j->p->mode != RUN_DESTROY)
		return !r->destroy;
	return config_skips_destroy(j->w->config) ||
	       (j->it.si && j->it.si->skip_destroy);
}

static void warn_forgotten(struct job *j)
{
	diag_warning(&j->ds, NULL, "Resource will be removed from the state",
		     "%.*s will not be managed any more once this plan is "
		     "applied; the object itself stays. To manage it again it "
		     "must be imported.", STR_ARG(j->text));
}

/* Why an orphan is one. */
static enum reason orphan_reason(struct job *j)
{
	const struct cfg_resource *c = j->w->config;
	struct plan *p = j->p;

	if (!c)
		return instance_addr_equal(
			       &j->addr, moves_origin(&p->moves, &j->addr))
			       ? REASON_DELETE_BECAUSE_NO_RESOURCE_CONFIG
			       : REASON_DELETE_BECAUSE_NO_MOVE_TARGET;
	if (!j->it.rr)
		return REASON_DELETE_BECAUSE_NO_MODULE;
	switch (j->addr.key.kind) {
	case KEY_NONE:
		if (c->lifecycle->enabled.root)
			return REASON_DELETE_BECAUSE_ENABLED_FALSE;
		if (c->count.root || c->for_each.root)
			return REASON_DELETE_BECAUSE_WRONG_REPETITION;
		return REASON_NONE;
	case KEY_INT:
		return c->count.root ? REASON_DELETE_BECAUSE_COUNT_INDEX
				     : REASON_DELETE_BECAUSE_WRONG_REPETITION;
	default:
		return c->for_each.root
			       ? REASON_DELETE_BECAUSE_EACH_KEY
			       : REASON_DELETE_BECAUSE_WRONG_REPETITION;
	}
}

static enum reason forget_reason(const struct job *j)
{
	if (config_skips_destroy(j->w->config))
		return REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_CONFIG;
	if (j->it.si->skip_destroy)
		return REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_STATE;
	return REASON_NONE;
}

static void record_delete(struct job *j)
{
	const struct value *before = j->now.value;
	enum reason why = REASON_NONE;

	if (!j->it.si->deposed.n && j->p->mode != RUN_DESTROY)
		why = orphan_reason(j);
	job_change(j, ACTION_DELETE, why, before,
		   value_null(j->a, before->type));
}

static void record_forget(struct job *j)
{
	const struct value *before = j->now.value;
	enum reason why = forget_reason(j);

	if (why == REASON_NONE && !j->it.si->deposed.n &&
	    j->p->mode != RUN_DESTROY)
		why = orphan_reason(j);
	job_change(j, ACTION_FORGET, why, before,
		   value_null(j->a, before->type));
}

static void may_be_deleted(struct job *j)
{
	if (!j->it.si->deposed.n && (job_prevent_destroy(j, ACTION_DELETE) ||
				     job_provisioners(j, true)))
		job_fail(j);
	else
		job_end(j);
}

static void may_be_forgotten(struct job *j)
{
	if (!j->it.si->deposed.n && job_prevent_destroy(j, ACTION_FORGET))
		job_fail(j);
	else
		job_end(j);
}

/* The provider may object to the deletion, or add private data for it. */
static void plan_delete(struct job *j)
{
	const struct value *before =
		value_unmark_deep(j->a, j->now.value, NULL);

	j->q.prior = before;
	j->q.config = j->q.proposed = value_null(j->a, before->type);
	j->q.private_in = j->now.private_data;
	j->q.identity_in = j->now.identity;
	j->q.meta = j->meta;
	job_call(j, CALL_PLAN, deleted);
}

static void deleted(struct job *j)
{
	if (j->q.state && !value_is_null(j->q.state)) {
		diag_error(&j->ds, NULL, "Provider produced invalid plan",
			   "The provider %.*s planned something else than "
			   "null for destroying %.*s. This is a bug in the "
			   "provider.",
			   STR_ARG(provider_config_text(j->a,
							&j->provider->addr)),
			   STR_ARG(j->text));
		job_fail(j);
		return;
	}
	j->plan.planned_private = j->q.private_out;
	j->plan.planned_identity = j->q.identity_out;
	record_delete(j);
	job_step(j, may_be_deleted);
}

static void destroy_or_forget(struct job *j)
{
	if (job_destroy_setting(j)) {
		job_fail(j);
		return;
	}
	if (!is_forgotten(j)) {
		plan_delete(j);
		return;
	}
	if (j->p->mode != RUN_DESTROY)
		warn_forgotten(j);
	record_forget(j);
	job_step(j, may_be_forgotten);
}

/* --- what the configuration no longer asks for --- */

static void orphan_read(struct job *j)
{
	job_refresh(j, orphan_refreshed);
}

void plan_orphan(struct job *j)
{
	if (j->addr.resource.mode != MODE_MANAGED) {
		struct prior_change gone = { .resource = j->it.sr,
					     .old = j->it.si };

		vec_push(j->p->arena, &j->p->prior, gone);
		job_end(j);
		return;
	}
	j->w->provider = j->provider->addr.provider;
	job_read(j, orphan_read);
}

static void orphan_refreshed(struct job *j)
{
	job_note_state(j);
	if (j->p->skip_changes || !j->now.value)
		job_end(j);
	else
		destroy_or_forget(j);
}

/* --- deposed objects --- */

static void deposed_read(struct job *j)
{
	if (j->p->mode == RUN_DESTROY)
		deposed_refreshed(j);
	else
		job_refresh(j, deposed_refreshed);
}

void plan_deposed(struct job *j)
{
	j->text = str_printf(j->a, "%.*s (deposed %.*s)", STR_ARG(j->text),
			     STR_ARG(j->it.si->deposed));
	job_read(j, deposed_read);
}

static void deposed_refreshed(struct job *j)
{
	job_note_state(j);
	if (j->p->skip_changes) {
		job_end(j);
		return;
	}
	if (!j->now.value) {
		const struct value *null = &value_null_dynamic;

		job_change(j, ACTION_NOOP, REASON_NONE, null, null);
		job_end(j);
		return;
	}
	destroy_or_forget(j);
}

/* --- destroying everything --- */

static void destroy_read(struct job *j)
{
	if (!j->p->run->opts.refresh)
		job_note_state(j);
	if (!j->now.value) {
		job_end(j);
		return;
	}
	destroy_or_forget(j);
}

void plan_destroy(struct job *j)
{
	const struct value *null = &value_null_dynamic;

	if (j->addr.resource.mode == MODE_MANAGED) {
		job_read(j, destroy_read);
		return;
	}
	/* Forgetting what was read is a deletion too. */
	job_change(j, ACTION_DELETE, REASON_NONE, null, null);
	job_end(j);
}
