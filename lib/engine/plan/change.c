/* change.c - recording changes */
#include "engine/plan/plan_int.h"
#include "engine/run/run.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/path.h"

static struct str *dup_list(struct arena *a, struct str *const x, size_t n)
{
	return n ? arena_dup(a, x, n * sizeof(*x)) : NULL;
}

/* A copy for the run. Write-only attributes are null by now; that they were
 * given ephemeral values must not show either. */
static const struct value *keep(struct job *j, const struct value *v)
{
	if (value_has_mark_deep(v, MARK_EPHEMERAL))
		v = value_without_marks(j->w.a, v, MARK_EPHEMERAL);
	return value_copy(j->p->arena, v);
}

/* Destroying has kept what is stored, and that is what most changes start
 * from. */
static const struct value *keep_before(struct job *j, const struct value *v)
{
	const struct value *stored = j->it.si ? j->it.si->decoded : NULL;

	return stored && value_identical(stored, v) ? stored : keep(j, v);
}

static void keep_paths(struct job *j, struct path_vec *out)
{
	struct arena *a = j->p->arena;

	for (size_t i = 0; i < j->w.plan.replace.len; i++) {
		struct path p = j->w.plan.replace.items[i];
		struct path_step *steps =
			arena_dup(a, p.steps, p.len * sizeof(*steps));

		for (size_t k = 0; k < p.len; k++) {
			steps[k].attr = str_dup(a, steps[k].attr);
			if (steps[k].index)
				steps[k].index = value_copy(a, steps[k].index);
		}
		vec_push(a, out, (struct path){ steps, p.len });
	}
	if (out->len > 1)
		paths_in_plan_order(out);
}

static void mark_pending(struct job *j, const struct change *c)
{
	if (c->action == ACTION_NOOP)
		return;
	j->work->pending_changes = true;
	if (j->it.rr)
		j->it.rr->pending_changes = true;
}

struct change *job_change(struct job *j, enum action action, enum reason reason,
			  const struct value *before, const struct value *after)
{
	struct plan *p = j->p;
	struct change *c = ARENA_NEW(p->arena, struct change);

	c->addr = j->w.addr;
	c->prev_addr = *moves_origin(&p->moves, &j->w.addr);
	if (j->it.si)
		c->deposed = j->it.si->deposed;
	c->provider = j->w.provider ? j->w.provider->addr : j->it.sr->provider;
	c->action = action;
	c->reason = reason;
	c->before = keep_before(j, before);
	c->after = after == before || value_identical(before, after)
			   ? c->before
			   : keep(j, after);
	c->create_before_destroy = j->cbd;
	c->unread = j->unread;
	keep_paths(j, &c->required_replace);
	c->planned_private = str_dup(p->arena, j->w.plan.planned_private);
	if (j->now.identity)
		c->before_identity = keep(j, j->now.identity);
	if (j->w.plan.planned_identity)
		c->planned_identity = keep(j, j->w.plan.planned_identity);
	c->dependencies.items =
		dup_list(p->arena, j->work->deps.items, j->work->deps.n);
	c->dependencies.len = j->work->deps.n;
	mark_pending(j, c);
	run_change_add(p->run, c);
	if (j->it.inst)
		j->it.inst->change = c;
	return c;
}
