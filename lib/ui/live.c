/*
 * live.c - the driver's display: progress as it arrives, the rest at the end
 *
 * Source of the texts: OpenTofu 1.12.6; programs match them.
 */
#include "ui/show_int.h"

#include "value/codec.h"
#include "value/render.h"

/* Both views, the one asked for and that of -json-into; NULL ends. */
static struct view *next_view(struct show *sh, const struct view *v)
{
	if (!v)
		return &sh->v;
	return v == &sh->v && sh->into.out ? &sh->into : NULL;
}

/* --- events --- */

/* The last line of an apply: counts, and outputs below them. */
static void summary_text(struct view *v, const struct json *ev)
{
	out_str(v->out, STR("\n"));
	if (v->style.color)
		out_str(v->out, STR("\033[0m\033[1m\033[32m"));
	out_str(v->out, json_get_str(ev, "@message"));
	if (v->style.color)
		out_str(v->out, STR("\033[0m"));
	out_str(v->out, STR("\n"));
}

static void outputs_event_text(struct view *v, const struct json *ev)
{
	const struct json *outs = json_get(ev, "outputs");
	struct buf b = BUF_INIT;

	if (!outs || !outs->len)
		return;
	buf_addf(&b, "\n%sOutputs:%s\n\n",
		 v->style.color ? "\033[1m\033[32m" : "",
		 v->style.color ? "\033[0m" : "");
	for (uint32_t i = 0; i < outs->len; i++) {
		const struct json_member *m = &outs->members[i];
		const struct type *t =
			type_from_json(v->arena, json_get(&m->value, "type"));
		const struct json *j = json_get(&m->value, "value");
		struct verror err;
		const struct value *val;

		buf_addf(&b, "%.*s = ", STR_ARG(m->name));
		if (json_get_bool(&m->value, "sensitive", false)) {
			buf_puts(&b, "<sensitive>\n");
			continue;
		}
		val = t && j ? value_from_json(v->arena, j, t, &err) : NULL;
		value_render(&b, val ? val : &value_null_dynamic);
		buf_putc(&b, '\n');
	}
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

static void event_shown(const struct show *sh, struct view *v, struct str line,
			const struct json *ev)
{
	struct str type = json_get_str(ev, "type");

	if (v->json)
		event_json(v, line);
	else if (str_is(type, "change_summary"))
		summary_text(v, ev);
	else if (str_is(type, "outputs"))
		outputs_event_text(v, ev);
	else if (!(sh->o->concise && (str_starts(type, "refresh_") ||
				      str_ends(type, "_progress"))))
		event_text(v, ev);
}

/* What an import or a refresh applies is a state, nothing to count. */
static bool is_said(const struct show *sh, struct str type)
{
	if (str_is(sh->o->op, "import"))
		return !str_is(type, "change_summary") &&
		       !str_is(type, "outputs");
	return !(str_is(sh->o->op, "refreshed") &&
		 str_is(type, "change_summary"));
}

static void show_event(struct show *sh, struct str line, const struct json *ev)
{
	if (!is_said(sh, json_get_str(ev, "type")))
		return;
	for (struct view *v = NULL; (v = next_view(sh, v));)
		event_shown(sh, v, line, ev);
}

/* --- the plan in the -json UI stream --- */

static bool drift_is_shown(const struct shown *s, const struct json *rec)
{
	const struct json *acts =
		json_get(json_get(rec, "change"), "actions");

	if (s->plan && str_is(json_get_str(s->plan, "mode"), "refresh-only"))
		return true;
	return acts && acts->len && !str_is(acts->items[0].text, "no-op");
}

static void drift_messages(struct show *sh, struct view *v)
{
	struct arena scratch = ARENA_INIT;

	for (size_t i = 0; i < sh->s.drift.len; i++) {
		const struct json *rec = stream_parse(
			&scratch, sh->s.drift.items[i], &sh->diags);

		if (rec && drift_is_shown(&sh->s, rec))
			plan_change_message(v, rec, true);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

static void change_messages(struct show *sh, struct view *v,
			    struct plan_counts *counts)
{
	struct arena scratch = ARENA_INIT;

	for (size_t i = 0; i < sh->s.changes.len; i++) {
		const struct json *rec = stream_parse(
			&scratch, sh->s.changes.items[i], &sh->diags);

		if (rec && plan_count(counts, rec))
			plan_change_message(v, rec, false);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

static void plan_messages(struct show *sh, struct view *v)
{
	struct shown *s = &sh->s;
	struct plan_counts counts = { 0 };
	struct arena scratch = ARENA_INIT;
	const struct json **outs;

	drift_messages(sh, v);
	change_messages(sh, v, &counts);
	plan_summary_message(v, &counts);
	outs = ARENA_ARRAY(&scratch, const struct json *, s->outputs.len);
	for (size_t i = 0; i < s->outputs.len; i++)
		outs[i] = stream_parse(&scratch, s->outputs.items[i],
				       &sh->diags);
	plan_outputs_message(v, outs, s->outputs.len);
	arena_release(&scratch);
}

/* A saved plan is applied: programs are told what it is before the first thing
 * happens, once it is clear that it can be applied at all. */
static void tell_planned(struct show *sh)
{
	struct plan_counts ignored = { 0 };

	if (sh->planned || !str_is(sh->o->op, "apply") || sh->o->continued)
		return;
	sh->planned = true;
	for (struct view *v = NULL; (v = next_view(sh, v));)
		if (v->json)
			change_messages(sh, v, &ignored);
}

/* --- the stream --- */

/* What an apply came to is said last, below what it warns of. */
static void take_event(struct show *sh, struct str line, const struct json *ev)
{
	struct str type = json_get_str(ev, "type");

	if (str_is(type, "change_summary") || str_is(type, "outputs")) {
		vec_push(sh->s.arena, &sh->last_events,
			 str_dup(sh->s.arena, line));
	} else {
		tell_planned(sh);
		show_event(sh, line, ev);
	}
}

int live_event(struct show *sh, struct str line, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	const struct json *ev;

	if (!sh->o->live) {
		if (sh->s.applying && !sh->o->json)
			vec_push(sh->s.arena, &sh->applied,
				 str_dup(sh->s.arena, line));
		return 0;
	}
	if (shows_apply(sh) && !sh->s.applying)
		return 0;
	ev = stream_parse(&scratch, line, ds);
	if (!ev)
		return -1;
	take_event(sh, line, ev);
	arena_release(&scratch);
	return 0;
}

static void show_last_events(struct show *sh)
{
	if (sh->last_events.len)
		tell_planned(sh);
	for (size_t i = 0; i < sh->last_events.len; i++) {
		struct str line = sh->last_events.items[i];

		show_event(sh, line, stream_parse(sh->s.arena, line,
						  &sh->diags));
	}
}

void live_applied(struct show *sh)
{
	for (size_t i = 0; i < sh->applied.len; i++) {
		struct arena scratch = ARENA_INIT;
		struct str line = sh->applied.items[i];
		const struct json *ev =
			stream_parse(&scratch, line, &sh->diags);

		if (!i)
			out_str(sh->v.out, STR("\n"));
		if (ev)
			take_event(sh, line, ev);
		arena_release(&scratch);
	}
	live_diags(sh);
	show_last_events(sh);
}

/* --- the end --- */

static void next_step_text(struct show *sh)
{
	const struct show_options *o = sh->o;
	struct buf b = BUF_INIT;

	if (sh->v.in_automation || !str_is(o->op, "plan"))
		return;
	buf_puts(&b, "\n");
	for (unsigned i = 0; i < sh->v.style.width - 1; i++)
		buf_puts(&b, "─");
	buf_puts(&b, "\n\n");
	if (o->generated.n && sh->s.generated) {
		text_wrap(&b, str_printf(sh->s.arena,
			"OpenTofu has generated configuration and written it "
			"to %.*s. Please review the configuration and edit it "
			"as necessary before adding it to version control.",
			STR_ARG(o->generated)), sh->v.style.width - 1);
		buf_putc(&b, '\n');
	}
	if (o->saved.n)
		buf_addf(&b, "Saved the plan to: %.*s\n\nTo perform exactly "
			 "these actions, run the following command to apply:\n"
			 "    tf apply \"%.*s\"\n", STR_ARG(o->saved),
			 STR_ARG(o->saved));
	else
		text_wrap(&b, STR("Note: You didn't use the -out option to save "
				  "this plan, so OpenTofu can't guarantee to "
				  "take exactly these actions if you run "
				  "\"tf apply\" now."), sh->v.style.width - 1);
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
}

static bool plan_applyable(const struct shown *s)
{
	return s->plan && json_get_bool(s->plan, "applyable", false);
}

/* A plan that failed before it came to any change is not worth a text when
 * nobody asked for a plan. */
static bool plan_is_shown(const struct show *sh)
{
	const struct shown *s = &sh->s;

	if (!s->plan || !shows_plan(sh))
		return false;
	return str_is(sh->o->op, "plan") || !s->info.failed || s->nchanges ||
	       s->outputs.len;
}

int live_finish(struct show *sh)
{
	struct shown *s = &sh->s;
	bool planned = plan_is_shown(sh);

	for (struct view *v = NULL; planned && (v = next_view(sh, v));) {
		if (v->json)
			plan_messages(sh, v);
		else
			plan_text(v, s);
	}
	live_diags(sh);
	show_last_events(sh);
	if (s->info.failed || s->errored)
		return 1;
	if (planned && !sh->v.json && plan_applyable(s))
		next_step_text(sh);
	if (sh->o->detailed_exitcode && plan_applyable(s))
		return 2;
	return 0;
}
