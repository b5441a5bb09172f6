/*
 * live_diag.c - diagnostics of a stream that is shown as it arrives (live.h)
 */
#include "json/read.h"
#include "json/write.h"
#include "ui/live/live_int.h"
#include "base/diag.h"
#include "base/visible.h"
#include "ui/view.h"

/* Writes the record as published, without our internal members. */
static void put_published(struct live *l, struct jw *w,
			  const struct shown_diag *d)
{
	static const char *const ours[] = { "record", "told",   "code", "cause",
					    "again",  "remote", "check" };
	struct json_error err;
	const struct json *rec = json_parse(l->s.arena, d->line, &err);

	jw_object(w);
	for (uint32_t i = 0; rec && i < rec->len; i++) {
		const struct json_member *m = &rec->members[i];
		bool skip = false;

		for (size_t k = 0; k < sizeof(ours) / sizeof(*ours); k++)
			skip |= str_is(m->name, ours[k]);
		if (skip)
			continue;
		jw_key_str(w, m->name);
		jw_json(w, &m->value);
	}
	jw_object_end(w);
}

static void put_message(struct live *l, struct view *v,
			const struct shown_diag *d)
{
	bool error = d->diag.severity == SEV_ERROR;
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, error ? "error" : "warn",
				 str_printf(l->s.arena, "%s: %.*s",
					    error ? "Error" : "Warning",
					    STR_ARG(d->diag.summary)));

	jw_key(&w, "diagnostic");
	put_published(l, &w, d);
	jw_member_str(&w, "type", STR("diagnostic"));
	ui_message_end(v, &line, &w);
}

static void put_messages(struct live *l, struct view *v)
{
	for (size_t i = 0; i < l->s.diags.len; i++)
		put_message(l, v, &l->s.diags.items[i]);
}

void live_forget_checks(struct live *l)
{
	struct shown_diag_vec *ds = &l->s.diags;
	size_t n = 0;

	for (size_t i = 0; i < ds->len; i++)
		if (!diag_kind(ds->items[i].diag.code)->check)
			ds->items[n++] = ds->items[i];
	ds->len = n;
}

static void tell(struct live *l)
{
	for (struct view *v = NULL; (v = live_next_view(l, v));) {
		if (v->json)
			put_messages(l, v);
		else
			shown_put_diags(&l->s, v);
	}
}

void live_early(struct live *l)
{
	struct shown_diag_vec all = l->s.diags;
	struct shown_diag last = all.items[--all.len];

	l->s.diags = (struct shown_diag_vec){ .items = &last, .len = 1 };
	/* an earlier display of the command has shown it */
	if (!l->o->continued)
		tell(l);
	l->s.diags = all;
}

void live_diags(struct live *l)
{
	struct shown *s = &l->s;
	/* Warnings of a plan that is applied at once are shown with those of
	 * the apply. */
	bool deferred = l->op->defers && !s->errored && !s->info.failed;

	if (!deferred)
		tell(l);
	s->diags.len = 0;
}

/* --- validate --- */

static size_t count_errors(const struct shown *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->diags.len; i++)
		n += s->diags.items[i].diag.severity == SEV_ERROR;
	return n;
}

static void put_validation(struct live *l, struct view *v)
{
	struct shown *s = &l->s;
	size_t errors = count_errors(s), n = s->diags.len;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	w.indent = 2;
	jw_object(&w);
	jw_member_str(&w, "format_version", STR("1.0"));
	jw_member_bool(&w, "valid", !errors);
	jw_member_int(&w, "error_count", (int64_t)errors);
	jw_member_int(&w, "warning_count", (int64_t)(n - errors));
	jw_key(&w, "diagnostics");
	jw_array(&w);
	for (size_t i = 0; i < n; i++)
		put_published(l, &w, &s->diags.items[i]);
	jw_array_end(&w);
	jw_object_end(&w);
	buf_putc(&b, '\n');
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

static void put_valid(struct live *l)
{
	bool color = l->v.style.color;

	out_str(l->v.out,
		color ? STR(PAINT_GREEN PAINT_BOLD "Success!" PAINT_PLAIN)
		      : STR("Success!"));
	out_str(l->v.out,
		l->s.diags.len
			? STR(" The configuration is valid, but there were some "
			      "validation warnings\nas shown above.\n")
			: STR(" The configuration is valid.\n"));
}

int live_validate(struct live *l)
{
	size_t errors = count_errors(&l->s);
	bool failed = errors || l->s.info.failed;

	if (l->into.out)
		put_validation(l, &l->into);
	if (l->v.json) {
		put_validation(l, &l->v);
		return failed;
	}
	l->s.errored = failed;
	shown_put_diags(&l->s, &l->v);
	if (!failed)
		put_valid(l);
	return failed;
}
