/* show.c - reading a stream for display; see show.h */
#include "ui/show.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "value/render.h"

struct show {
	const struct show_options *o;
	struct view v;
	struct shown s;
	struct out out, err;
	struct diags diags; /* our own: the stream itself is broken */
	struct opened_providers opened; /* for their schemas */
	struct line_vec last_events;    /* the summary and the outputs */
};

static void keep_schema(struct shown *s, const struct json *rec)
{
	struct resource_schema *rs = ARENA_NEW(s->arena,
					       struct resource_schema);

	rs->type = json_get_str(rec, "type");
	rs->version = (uint64_t)json_get_int(rec, "version", 0);
	rs->block = schema_block_from_json(s->arena, json_get(rec, "block"));
	shown_schema_put(s->arena, &s->schemas, json_get_str(rec, "mode"),
			 rs->type, json_get_str(rec, "provider"), rs);
}

/* When an apply follows without anyone being asked, it says again how the
 * check blocks fare: what planning found is not shown. */
static bool said_again(const struct show *sh, const struct diag *d)
{
	return str_is(sh->o->op, "approved") && d->severity == SEV_WARNING &&
	       str_starts(d->summary, "Check block assertion ");
}

static void keep_diag(struct show *sh, struct str line,
		      const struct json *rec)
{
	const struct json *sn = json_get(rec, "snippet");
	struct shown_diag d = { .line = str_dup(sh->s.arena, line) };

	if (record_diag_read(sh->s.arena, rec, &d.diag) ||
	    said_again(sh, &d.diag))
		return;
	if (sn && sn->kind == JSON_OBJECT) {
		d.has_snippet = true;
		d.snippet.context = json_get_str(sn, "context");
		d.snippet.code = json_get_str(sn, "code");
		d.snippet.start_line =
			(uint32_t)json_get_int(sn, "start_line", 1);
		d.snippet.highlight_start = (uint32_t)json_get_int(
			sn, "highlight_start_offset", 0);
		d.snippet.highlight_end = (uint32_t)json_get_int(
			sn, "highlight_end_offset", 0);
	}
	vec_push(sh->s.arena, &sh->s.diags, d);
}

/* The last line of an apply: counts, and outputs below them. */
static void summary_text(struct show *sh, const struct json *ev)
{
	struct view *v = &sh->v;

	out_str(v->out, STR("\n"));
	if (v->style.color)
		out_str(v->out, STR("\033[1m\033[32m"));
	out_str(v->out, json_get_str(ev, "@message"));
	if (v->style.color)
		out_str(v->out, STR("\033[0m"));
	out_str(v->out, STR("\n"));
}

static void outputs_text(struct show *sh, const struct json *ev)
{
	const struct json *outs = json_get(ev, "outputs");
	struct arena *a = sh->s.arena;
	struct buf b = BUF_INIT;

	if (!outs || !outs->len)
		return;
	buf_addf(&b, "\n%sOutputs:%s\n\n",
		 sh->v.style.color ? "\033[1m\033[32m" : "",
		 sh->v.style.color ? "\033[0m" : "");
	for (uint32_t i = 0; i < outs->len; i++) {
		const struct json_member *m = &outs->members[i];
		const struct type *t =
			type_from_json(a, json_get(&m->value, "type"));
		const struct json *j = json_get(&m->value, "value");
		struct verror err;
		const struct value *val;

		buf_addf(&b, "%.*s = ", STR_ARG(m->name));
		if (json_get_bool(&m->value, "sensitive", false)) {
			buf_puts(&b, "<sensitive>\n");
			continue;
		}
		val = t && j ? value_from_json(a, j, t, &err) : NULL;
		value_render(&b, val ? val : &value_null_dynamic);
		buf_putc(&b, '\n');
	}
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
}

static void live_event(struct show *sh, struct str line,
		       const struct json *ev)
{
	struct str type = json_get_str(ev, "type");

	/* What an import applies is a state, nothing to count. */
	if (str_is(sh->o->op, "import") && (str_is(type, "change_summary") ||
					    str_is(type, "outputs")))
		return;
	if (sh->v.json)
		event_json(&sh->v, line);
	else if (str_is(type, "change_summary"))
		summary_text(sh, ev);
	else if (str_is(type, "outputs"))
		outputs_text(sh, ev);
	else if (!(sh->o->concise && (str_starts(type, "refresh_") ||
				      str_ends(type, "_progress"))))
		event_text(&sh->v, ev);
}

static void live_diag(struct show *sh, const struct shown_diag *d);

/* -compact-warnings: where there are only warnings, their summaries. */
static void compact_text(struct show *sh)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "\nWarnings:\n\n");
	for (size_t i = 0; i < sh->s.diags.len; i++)
		buf_addf(&b, "- %.*s\n",
			 STR_ARG(sh->s.diags.items[i].diag.summary));
	buf_puts(&b, "\nTo see the full warning notes, run OpenTofu without "
		     "-compact-warnings.\n");
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
}

/* Events of an apply come after its diagnostics are known only in part, so the
 * diagnostics met so far are shown before the summary line. */
static void flush_diags(struct show *sh)
{
	bool compact = sh->o->compact_warnings && !sh->v.json;

	for (size_t i = 0; compact && i < sh->s.diags.len; i++)
		compact = sh->s.diags.items[i].diag.severity == SEV_WARNING;
	if (compact && sh->s.diags.len)
		compact_text(sh);
	for (size_t i = 0; !compact && i < sh->s.diags.len; i++)
		live_diag(sh, &sh->s.diags.items[i]);
	sh->s.diags.len = 0;
}

static int on_event(struct show *sh, struct str line, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	const struct json *ev;

	if (!sh->o->live || (str_is(sh->o->op, "apply") && !sh->s.applying))
		return 0;
	ev = stream_parse(&scratch, line, ds);
	if (!ev)
		return -1;
	/* What an apply came to is said last, below what it warns of. */
	if (str_is(json_get_str(ev, "type"), "change_summary") ||
	    str_is(json_get_str(ev, "type"), "outputs"))
		vec_push(sh->s.arena, &sh->last_events,
			 str_dup(sh->s.arena, line));
	else
		live_event(sh, line, ev);
	arena_release(&scratch);
	return 0;
}

/* Is the record part of what was displayed already, before tf-apply? */
static bool behind(const struct show *sh)
{
	return sh->o->live && str_is(sh->o->op, "apply") && !sh->s.applying;
}

static int on_kept(struct show *sh, struct str kind, struct str line,
		   struct diags *ds)
{
	struct shown *s = &sh->s;
	const struct json *rec;

	if (str_is(kind, "resource_change")) {
		vec_push(s->arena, &s->changes, str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "resource_drift")) {
		vec_push(s->arena, &s->drift, str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "output_change")) {
		vec_push(s->arena, &s->outputs, str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "check_result")) {
		vec_push(s->arena, &s->checks, str_dup(s->arena, line));
		return 0;
	}
	rec = stream_parse(s->arena, line, ds);
	if (!rec)
		return -1;
	if (str_is(kind, "diagnostic"))
		keep_diag(sh, line, rec);
	else if (str_is(kind, "plan"))
		s->plan = rec;
	else if (str_is(kind, "schema"))
		keep_schema(s, rec);
	return 0;
}

static bool is_kept(struct str kind)
{
	static const char *const kinds[] = {
		"resource_change", "resource_drift", "output_change",
		"check_result", "diagnostic", "plan", "schema",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_is(kind, kinds[i]))
			return true;
	return false;
}

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct show *sh = data;
	struct shown *s = &sh->s;
	int rc;

	s->applying = s->applying || stream_has_stage(&s->info, "tf-apply");
	if (str_is(kind, "event"))
		return on_event(sh, line, ds);
	if (is_kept(kind))
		return behind(sh) ? 0 : on_kept(sh, kind, line, ds);
	if (sh->o->live || !sh->o->json)
		return 0;
	rc = config_read_record(s->config, kind, line, ds);
	if (rc == 1)
		rc = state_read_record(s->previous, s->prior, kind, line, ds);
	return rc < 0 ? -1 : 0;
}

static void diag_message(struct show *sh, const struct shown_diag *d)
{
	bool error = d->diag.severity == SEV_ERROR;
	struct buf line = BUF_INIT;
	static const char head[] = "{\"record\":\"diagnostic\",";
	struct jw w = ui_message(&line, error ? "error" : "warn",
				 str_printf(sh->s.arena, "%s: %.*s",
					    error ? "Error" : "Warning",
					    STR_ARG(d->diag.summary)));

	jw_key(&w, "diagnostic");
	jw_raw(&w, STR("{"));
	buf_add(&line, d->line.p + sizeof(head) - 1,
		d->line.n - sizeof(head) + 1);
	jw_member_str(&w, "type", STR("diagnostic"));
	ui_message_end(&sh->v, &line, &w);
}

static void live_diag(struct show *sh, const struct shown_diag *d)
{
	struct buf b = BUF_INIT;

	if (d->diag.severity == SEV_ERROR)
		sh->s.errored = true;
	if (sh->v.json) {
		diag_message(sh, d);
		return;
	}
	diag_text(&b, &d->diag, d->has_snippet ? &d->snippet : NULL,
		  d->diag.severity == SEV_ERROR ? sh->v.err_style
						: sh->v.style);
	out_flush(sh->v.out);
	out_str(d->diag.severity == SEV_ERROR ? sh->v.err : sh->v.out,
		buf_view(&b));
	out_flush(sh->v.err);
	buf_release(&b);
}

static bool drift_is_shown(const struct shown *s, const struct json *rec)
{
	const struct json *acts =
		json_get(json_get(rec, "change"), "actions");

	if (s->plan && str_is(json_get_str(s->plan, "mode"), "refresh-only"))
		return true;
	return acts && acts->len && !str_is(acts->items[0].text, "no-op");
}

/* The plan's messages in the -json UI stream. */
static void plan_messages(struct show *sh)
{
	struct shown *s = &sh->s;
	struct plan_counts counts = { 0 };
	const struct json **outs;
	struct arena scratch = ARENA_INIT;

	for (size_t i = 0; i < s->drift.len; i++) {
		const struct json *rec = stream_parse(
			&scratch, s->drift.items[i], &sh->diags);

		if (rec && drift_is_shown(s, rec))
			plan_change_message(&sh->v, rec, true);
		arena_reset(&scratch);
	}
	for (size_t i = 0; i < s->changes.len; i++) {
		const struct json *rec = stream_parse(
			&scratch, s->changes.items[i], &sh->diags);

		if (rec && plan_count(&counts, rec))
			plan_change_message(&sh->v, rec, false);
		arena_reset(&scratch);
	}
	plan_summary_message(&sh->v, &counts);
	outs = ARENA_ARRAY(&scratch, const struct json *, s->outputs.len);
	for (size_t i = 0; i < s->outputs.len; i++)
		outs[i] = stream_parse(&scratch, s->outputs.items[i],
				       &sh->diags);
	plan_outputs_message(&sh->v, outs, s->outputs.len);
	arena_release(&scratch);
}

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
	if (o->generated.n) {
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

static void show_last_events(struct show *sh)
{
	for (size_t i = 0; i < sh->last_events.len; i++) {
		struct str line = sh->last_events.items[i];

		live_event(sh, line, stream_parse(sh->s.arena, line,
						  &sh->diags));
	}
}

static int finish_live(struct show *sh)
{
	struct shown *s = &sh->s;
	bool apply = (str_is(sh->o->op, "apply") && s->applying) ||
		     str_is(sh->o->op, "import");

	if (!apply && s->plan) {
		if (sh->v.json)
			plan_messages(sh);
		else
			plan_text(&sh->v, s);
	}
	flush_diags(sh);
	show_last_events(sh);
	if (s->info.failed || s->errored)
		return 1;
	if (!apply && s->plan && !sh->v.json && plan_applyable(s))
		next_step_text(sh);
	if (sh->o->detailed_exitcode && plan_applyable(s))
		return 2;
	return 0;
}

/* validate: one JSON object, or one line when all is well. */
static int finish_validate(struct show *sh)
{
	struct shown *s = &sh->s;
	size_t errors = 0, n = s->diags.len;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	static const char head[] = "{\"record\":\"diagnostic\",";

	for (size_t i = 0; i < n; i++)
		errors += s->diags.items[i].diag.severity == SEV_ERROR;
	if (!sh->v.json) {
		if (!errors && !s->info.failed)
			out_str(sh->v.out, n ? STR("Success! The configuration "
				"is valid, but there were some validation "
				"warnings as shown below.\n\n") :
				STR("Success! The configuration is valid."
				    "\n\n"));
		flush_diags(sh);
		return errors || s->info.failed;
	}
	w.indent = 2;
	jw_object(&w);
	jw_member_str(&w, "format_version", STR("1.0"));
	jw_member_bool(&w, "valid", !errors);
	jw_member_int(&w, "error_count", (int64_t)errors);
	jw_member_int(&w, "warning_count", (int64_t)(n - errors));
	jw_key(&w, "diagnostics");
	jw_array(&w);
	for (size_t i = 0; i < n; i++) {
		struct str line = s->diags.items[i].line;
		struct str body = str_printf(s->arena, "{%.*s",
			(int)(line.n - sizeof(head) + 1),
			line.p + sizeof(head) - 1);
		struct json_error err;
		const struct json *j = json_parse(s->arena, body, &err);

		if (j)
			jw_json(&w, j);
	}
	jw_array_end(&w);
	jw_object_end(&w);
	buf_putc(&b, '\n');
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return errors || s->info.failed;
}

/* Outputs whose value is known while planning belong to the prior state that
 * is published; those that are not, or will be null, do not. */
static void planned_outputs(struct shown *s)
{
	for (size_t i = 0; i < s->outputs.len; i++) {
		struct json_error jerr;
		struct verror verr;
		const struct json *rec =
			json_parse(s->arena, s->outputs.items[i], &jerr);
		const struct json *planned = json_get(rec, "planned");
		struct str name = json_get_str(rec, "address");
		const struct value *v;

		if (!planned || !str_starts(name, "output."))
			continue;
		v = value_from_stream(s->arena, planned, &verr);
		if (v && value_is_null(v))
			continue; /* deleted: it is there still */
		state_output_set(s->prior, str_sub(name, 7, name.n),
				 v && value_wholly_known(v) ? v : NULL);
	}
}

static int finish_render(struct show *sh)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!sh->o->json) {
		plan_text(&sh->v, &sh->s);
		flush_diags(sh);
		return 0;
	}
	config_finish(sh->s.config, &sh->diags);
	sh->s.had_prior = !state_is_empty(sh->s.prior);
	planned_outputs(&sh->s);
	w.html = true;
	plan_json(&w, &sh->s);
	buf_putc(&b, '\n');
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return 0;
}

static int render_state(struct show *sh, const struct state *st)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!sh->o->json && !st->lineage.n && state_is_empty(st)) {
		out_str(sh->v.out, STR("No state.\n"));
		return 0;
	}
	sh->opened.arena = sh->s.arena;
	sh->opened.source = sh->o->providers;
	if (opened_state_schemas(&sh->opened, st, &sh->s.schemas, &sh->diags))
		return 1;
	if (!sh->o->json) {
		state_text(&sh->v, st, &sh->s.schemas);
		return 0;
	}
	w.html = true;
	state_json(&w, st, &sh->s.schemas);
	buf_putc(&b, '\n');
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return 0;
}

/* A state file: JSON with "version" and no "record". */
static int render_state_text(struct show *sh, struct str text, struct str name)
{
	struct arena *a = sh->s.arena;
	const struct state *st =
		text.n ? state_parse(a, text,
				     arena_strndup(a, name.p, name.n),
				     &sh->diags)
		       : state_new(a);

	return st ? render_state(sh, st) : 1;
}

static void show_init(struct show *sh, struct arena *a,
		      const struct show_options *o)
{
	const char *automation = getenv("TF_IN_AUTOMATION");

	sh->o = o;
	sh->out = (struct out)OUT_INIT(STDOUT_FILENO);
	sh->err = (struct out)OUT_INIT(STDERR_FILENO);
	sh->diags = (struct diags)DIAGS_INIT(a);
	sh->s.arena = a;
	sh->s.config = config_new(a);
	sh->s.previous = state_new(a);
	sh->s.prior = state_new(a);
	sh->v = (struct view){
		.arena = a,
		.out = &sh->out,
		.err = &sh->err,
		.style = text_style_for(STDOUT_FILENO, o->no_color),
		.err_style = text_style_for(STDERR_FILENO, o->no_color),
		.json = o->json,
		.show_sensitive = o->show_sensitive,
		.in_automation = automation && *automation,
	};
}

/* Rendering takes a stream or a state: looks at the first bytes.  A pipe is
 * copied to memory first. Returns the descriptor to read the stream from, or
 * -1: with *text filled when it is no stream, with a diagnostic when it could
 * not be read. */
static int look_inside(int fd, struct str name, struct buf *text,
		       struct diags *ds)
{
	static const char head[] = "{\"record\"";

	if (!io_read_fd(fd, text, 0)) {
		if (!str_starts(buf_view(text), head))
			return -1;
		if (lseek(fd, 0, SEEK_SET) == 0)
			return fd;
		fd = memfd_create("stream", MFD_CLOEXEC);
		if (fd >= 0 && !io_write_all(fd, text->p, text->len) &&
		    lseek(fd, 0, SEEK_SET) == 0)
			return fd;
	}
	return diag_error(ds, NULL, "Failed to read the given file as a state "
			  "or plan file", "Cannot read %.*s: %s.",
			  STR_ARG(name), strerror(errno));
}

static void flush_shown(void *data)
{
	struct show *sh = data;

	out_flush(&sh->out);
}

static int read_and_finish(struct show *sh, int fd)
{
	int rc = stream_read_live(sh->s.arena, fd, &sh->s.info, on_record,
				  flush_shown, sh, &sh->diags);

	if (rc)
		return 1;
	if (!sh->o->live)
		return finish_render(sh);
	if (str_is(sh->o->op, "validate"))
		return finish_validate(sh);
	return finish_live(sh);
}

int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name)
{
	struct show sh = { 0 };
	struct buf text = BUF_INIT;
	int rc;

	show_init(&sh, a, o);
	if (o->state) {
		rc = render_state(&sh, o->state);
	} else if (!o->live) {
		int stream = look_inside(fd, name, &text, &sh.diags);

		if (stream >= 0)
			rc = read_and_finish(&sh, stream);
		else
			rc = diags_failed(&sh.diags) ||
			     render_state_text(&sh, buf_view(&text), name);
	} else {
		if (o->json && !o->continued && !str_is(o->op, "validate"))
			ui_version(&sh.v);
		rc = read_and_finish(&sh, fd);
	}
	if (out_flush(&sh.out) || out_flush(&sh.err))
		rc = 1;
	diags_print(&sh.diags, NULL);
	if (diags_failed(&sh.diags))
		rc = 1;
	opened_close(&sh.opened);
	out_release(&sh.out);
	out_release(&sh.err);
	buf_release(&text);
	return rc;
}
