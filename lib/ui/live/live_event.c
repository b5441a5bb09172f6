/*
 * live_event.c - events as they come, and a plan as messages (live.h)
 */
#include "ui/live/live_int.h"
#include "ui/show/show.h"
#include "ui/live/live.h"

/* --- operations --- */

const struct live_op live_ops[LIVE_OPS] = {
	[LIVE_STREAM] = { "stream", .plan = true, .failed_plan = true,
			  .applies = true, .counts = true, .outputs = true },
	[LIVE_PLAN] = { "plan", .plan = true, .failed_plan = true,
			.next_step = true },
	[LIVE_CONFIRM] = { "confirm", .plan = true },
	[LIVE_APPROVED] = { "approved", .plan = true, .defers = true },
	[LIVE_APPLY] = { "apply", .apply_only = true, .applies = true,
			 .tells_planned = true, .counts = true,
			 .outputs = true },
	[LIVE_REFRESH] = { "refresh", .defers = true },
	[LIVE_REFRESHED] = { "refreshed", .apply_only = true, .outputs = true },
	[LIVE_IMPORT] = { "import", .imported = true },
	[LIVE_VALIDATE] = { "validate", .validates = true },
};

int live_op_find(struct str name, enum live_op_id *op)
{
	for (int i = 0; i < LIVE_OPS; i++)
		if (str_is(name, live_ops[i].name)) {
			*op = (enum live_op_id)i;
			return 0;
		}
	return -1;
}

/* --- events --- */

/* --- events --- */

/* What -concise leaves out: operations that begin, go on and end. */
static bool is_progress(struct str type)
{
	return !event_is_last(type) && !str_is(type, "log") &&
	       !str_is(type, "state_lock_acquire");
}

static void show_event(struct live *l, struct str line,
		       const struct shown_event *e)
{
	for (struct view *v = NULL; (v = live_next_view(l, v));)
		if (v->json)
			event_json(v, line);
		else if (!l->o->concise || !is_progress(e->type))
			event_text(v, e);
}

/* --- the plan in the -json UI stream --- */

static void drift_messages(struct live *l, struct view *v)
{
	struct arena scratch = ARENA_INIT;
	struct shown_change c;

	for (size_t i = 0; i < l->s.drift.len; i++) {
		if (!shown_change_read(&scratch, l->s.drift.items[i], &c,
				       &l->diags) &&
		    (shown_refresh_only(&l->s) || c.action != DIFF_NOOP))
			plan_change_message(v, &c, true);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

static void change_messages(struct live *l, struct view *v,
			    struct plan_counts *counts, bool only_acts)
{
	struct arena scratch = ARENA_INIT;
	struct shown_change c;

	for (size_t i = 0; i < l->s.changes.len; i++) {
		shown_change_from(&scratch, &l->s.changes.items[i].json, &c);
		if (plan_count(counts, &c) &&
		    (c.action != DIFF_NOOP || !only_acts))
			plan_change_message(v, &c, false);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

void live_plan_messages(struct live *l, struct view *v)
{
	struct shown *s = &l->s;
	struct plan_counts counts = { 0 };
	struct arena scratch = ARENA_INIT;
	struct shown_change *outs;
	size_t n = 0;

	drift_messages(l, v);
	change_messages(l, v, &counts, false);
	plan_summary_message(v, &counts);
	outs = ARENA_ARRAY(&scratch, struct shown_change, s->outputs.len);
	for (size_t i = 0; i < s->outputs.len; i++)
		n += !shown_change_read(&scratch, s->outputs.items[i], &outs[n],
					&l->diags);
	plan_outputs_message(v, outs, n);
	arena_release(&scratch);
}

void live_planned(struct live *l)
{
	struct plan_counts ignored = { 0 };

	if (!l->op->tells_planned || l->o->continued)
		return;
	for (struct view *v = NULL; (v = live_next_view(l, v));)
		if (v->json)
			change_messages(l, v, &ignored, true);
}

/* --- the stream --- */

/* Does the operation show this event, one of those shown last? */
static bool says_last(const struct live *l, struct str type)
{
	return str_is(type, "outputs") ? l->op->outputs : l->op->counts;
}

int live_event(struct live *l, struct str line, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct shown_event e;
	int rc;

	if (l->op->apply_only && !l->applying)
		return 0;
	rc = shown_event_read(&scratch, line, &e, ds);
	if (!rc && l->status.on)
		status_event(&l->status, &e);
	if (!rc && !event_is_last(e.type)) {
		show_event(l, line, &e);
	} else if (!rc && says_last(l, e.type)) {
		vec_push(l->s.arena, &l->last_events,
			 str_dup(l->s.arena, line));
	}
	arena_release(&scratch);
	return rc;
}

void live_last_events(struct live *l)
{
	for (size_t i = 0; i < l->last_events.len; i++) {
		struct str line = l->last_events.items[i];
		struct shown_event e;

		if (!shown_event_read(l->s.arena, line, &e, &l->diags))
			show_event(l, line, &e);
	}
}
