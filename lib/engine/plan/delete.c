/*
 * delete.c - what is destroyed or forgotten: orphans, deposed objects, and
 * everything when destroying
 */
#include "addr/provider.h"
#include "engine/plan/plan_int.h"
#include "value/marks.h"

/* lifecycle { destroy = false } in the configuration, or when the object was
 * last applied; a removed block says so by itself. */
static bool is_forgotten(const struct job *j)
{
	const struct removal *r = moves_removal(&j->p->moves, &j->w.addr);

	if (r && j->p->mode != RUN_DESTROY)
		return !r->destroy;
	return config_skips_destroy(j->work->config) ||
	       (j->it.si && j->it.si->skip_destroy);
}

static void warn_forgotten(struct job *j)
{
	diag_warning(&j->w.ds, NULL, "Resource will be removed from the state",
		     "%.*s will not be managed any more once this plan is "
		     "applied; the object itself stays. To manage it again it "
		     "must be imported.",
		     STR_ARG(j->w.text));
}

/* Why an orphan is one. */
static enum reason orphan_reason(struct job *j)
{
	const struct cfg_resource *c = j->work->config;
	struct plan *p = j->p;

	if (!c)
		return instance_addr_equal(&j->w.addr,
					   moves_origin(&p->moves, &j->w.addr))
			       ? REASON_DELETE_BECAUSE_NO_RESOURCE_CONFIG
			       : REASON_DELETE_BECAUSE_NO_MOVE_TARGET;
	if (!j->it.rr)
		return REASON_DELETE_BECAUSE_NO_MODULE;
	switch (j->w.addr.key.kind) {
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
	if (config_skips_destroy(j->work->config))
		return REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_CONFIG;
	if (j->it.si->skip_destroy)
		return REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_STATE;
	return REASON_NONE;
}

static enum reason reason(struct job *j)
{
	return j->it.si->deposed.n || j->p->mode == RUN_DESTROY
		       ? REASON_NONE
		       : orphan_reason(j);
}

/* --- forgetting --- */

static enum worked record_forgetting(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *before = j->now.value;
	enum reason why = forget_reason(j);

	if (j->p->mode != RUN_DESTROY)
		warn_forgotten(j);
	job_change(j, ACTION_FORGET, why == REASON_NONE ? reason(j) : why,
		   before, value_null(w->a, before->type));
	return WORK_NEXT;
}

static enum worked may_be_forgotten(struct worker *w)
{
	struct job *j = job_of(w);

	return !j->it.si->deposed.n && job_prevent_destroy(j, ACTION_FORGET)
		       ? WORK_FAIL
		       : WORK_END;
}

static worker_step *const forgotten[] = { record_forgetting, may_be_forgotten,
					  NULL };

/* --- deleting --- */

/* The provider may object to the deletion, or add private data for it. */
static enum worked ask_deletion(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *before, *null;

	if (is_forgotten(j))
		return worker_go(w, forgotten);
	before = value_unmark_deep(w->a, j->now.value, NULL);
	null = value_null(w->a, before->type);
	w->q = (struct provider_request){
		.plan.in = { .config = null,
			     .proposed = null,
			     .prior = { before, j->now.private_data,
					j->now.identity } },
	};
	return worker_call(w, CALL_PLAN);
}

static enum worked record_deletion(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *before = j->now.value;
	const struct provider_object *planned = &w->q.plan.out.planned;

	if (planned->value && !value_is_null(planned->value)) {
		diag_error(&w->ds, NULL, "Provider produced invalid plan",
			   "The provider %.*s planned something else than "
			   "null for destroying %.*s. This is a bug in the "
			   "provider.",
			   STR_ARG(provider_config_text(w->a,
							&w->provider->addr)),
			   STR_ARG(w->text));
		return WORK_FAIL;
	}
	w->plan.planned_private = planned->private_data;
	w->plan.planned_identity = planned->identity;
	job_change(j, ACTION_DELETE, reason(j), before,
		   value_null(w->a, before->type));
	return WORK_NEXT;
}

static enum worked may_be_deleted(struct worker *w)
{
	struct job *j = job_of(w);

	return !j->it.si->deposed.n && (job_prevent_destroy(j, ACTION_DELETE) ||
					job_provisioners(j, true))
		       ? WORK_FAIL
		       : WORK_END;
}

#define DELETE_STEPS \
	job_destroy_setting, ask_deletion, record_deletion, may_be_deleted

/* --- what the configuration no longer asks for --- */

static enum worked begin_orphan(struct worker *w)
{
	struct job *j = job_of(w);

	if (w->addr.resource.mode != MODE_MANAGED) {
		struct prior_change gone = { .resource = j->it.sr,
					     .old = j->it.si };

		vec_push(j->p->arena, &j->p->prior, gone);
		return WORK_END;
	}
	j->work->provider = w->provider->addr.provider;
	return WORK_NEXT;
}

static enum worked orphan_refreshed(struct worker *w)
{
	struct job *j = job_of(w);

	job_note_state(j);
	return j->p->skip_changes || !j->now.value ? WORK_END : WORK_NEXT;
}

worker_step *const plan_orphan[] = {
	begin_orphan,     READ_STEPS,   job_refresh, job_refreshed,
	orphan_refreshed, DELETE_STEPS, NULL,
};

/* --- deposed objects --- */

static enum worked begin_deposed(struct worker *w)
{
	w->text = str_printf(w->a, "%.*s (deposed %.*s)", STR_ARG(w->text),
			     STR_ARG(job_of(w)->it.si->deposed));
	return WORK_NEXT;
}

static enum worked refresh_deposed(struct worker *w)
{
	return job_of(w)->p->mode == RUN_DESTROY ? WORK_NEXT : job_refresh(w);
}

static enum worked deposed_refreshed(struct worker *w)
{
	struct job *j = job_of(w);

	job_note_state(j);
	if (j->p->skip_changes)
		return WORK_END;
	if (j->now.value)
		return WORK_NEXT;
	job_change(j, ACTION_NOOP, REASON_NONE, &value_null_dynamic,
		   &value_null_dynamic);
	return WORK_END;
}

worker_step *const plan_deposed[] = {
	begin_deposed, READ_STEPS,        refresh_deposed,
	job_refreshed, deposed_refreshed, DELETE_STEPS,
	NULL,
};

/* --- destroying everything --- */

/* Forgetting what was read is a deletion too. */
static enum worked begin_destroy(struct worker *w)
{
	if (w->addr.resource.mode == MODE_MANAGED)
		return WORK_NEXT;
	job_change(job_of(w), ACTION_DELETE, REASON_NONE, &value_null_dynamic,
		   &value_null_dynamic);
	return WORK_END;
}

static enum worked destroy_read(struct worker *w)
{
	struct job *j = job_of(w);

	if (!w->run->opts.refresh)
		job_note_state(j);
	return j->now.value ? WORK_NEXT : WORK_END;
}

worker_step *const plan_destroy[] = {
	begin_destroy, READ_STEPS, destroy_read, DELETE_STEPS, NULL,
};
