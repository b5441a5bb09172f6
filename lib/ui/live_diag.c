/*
 * live_diag.c - diagnostics of a stream, as the driver shows them
 */
#include "ui/show_int.h"

/* The start of a diagnostic record; what follows it are the members of the
 * published diagnostic. */
#define RECORD_HEAD "{\"record\":\"diagnostic\","

/* The check blocks are evaluated again by the apply that follows: what planning
 * found of them is shown only to those who are asked. */
static bool said_again(const struct show *sh, const struct diag *d)
{
	return str_is(sh->o->op, "apply") && !sh->s.applying &&
	       str_starts(d->summary, "Check block assertion ");
}

static void read_snippet(struct shown_diag *d, const struct json *sn)
{
	if (!sn || sn->kind != JSON_OBJECT)
		return;
	d->has_snippet = true;
	d->snippet.context = json_get_str(sn, "context");
	d->snippet.code = json_get_str(sn, "code");
	d->snippet.start_line = (uint32_t)json_get_int(sn, "start_line", 1);
	d->snippet.highlight_start =
		(uint32_t)json_get_int(sn, "highlight_start_offset", 0);
	d->snippet.highlight_end =
		(uint32_t)json_get_int(sn, "highlight_end_offset", 0);
}

void live_diag_keep(struct show *sh, struct str line, const struct json *rec)
{
	struct shown_diag d = { .line = str_dup(sh->s.arena, line) };

	if (record_diag_read(sh->s.arena, rec, &d.diag) ||
	    said_again(sh, &d.diag))
		return;
	sh->s.generated |= str_is(d.diag.summary,
				  "Config generation is experimental");
	read_snippet(&d, json_get(rec, "snippet"));
	vec_push(sh->s.arena, &sh->s.diags, d);
}

static void put_message(struct show *sh, struct view *v,
			const struct shown_diag *d)
{
	bool error = d->diag.severity == SEV_ERROR;
	const size_t head = sizeof(RECORD_HEAD) - 1;
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, error ? "error" : "warn",
				 str_printf(sh->s.arena, "%s: %.*s",
					    error ? "Error" : "Warning",
					    STR_ARG(d->diag.summary)));

	jw_key(&w, "diagnostic");
	jw_raw(&w, STR("{"));
	buf_add(&line, d->line.p + head, d->line.n - head);
	jw_member_str(&w, "type", STR("diagnostic"));
	ui_message_end(v, &line, &w);
}

static void put_messages(struct show *sh, struct view *v)
{
	for (size_t i = 0; i < sh->s.diags.len; i++)
		put_message(sh, v, &sh->s.diags.items[i]);
}

static void put_texts(struct show *sh)
{
	struct view *v = &sh->v;
	struct shown_diag_vec all = sh->s.diags;
	struct buf b = BUF_INIT;

	shown_diags_sort(sh->s.arena, &all);
	shown_diags_deprecated(sh->s.arena, sh->o->deprecation, &all);
	if (!sh->o->each_warning)
		shown_diags_consolidate(sh->s.arena, &all, SEV_WARNING);
	if (sh->o->consolidate_errors)
		shown_diags_consolidate(sh->s.arena, &all, SEV_ERROR);
	if (sh->o->compact_warnings && !sh->s.errored) {
		shown_diags_compact(&b, &all, v->style);
		out_str(v->out, buf_view(&b));
		buf_release(&b);
		return;
	}
	out_flush(v->out);
	for (size_t i = 0; i < all.len; i++) {
		bool error = all.items[i].diag.severity == SEV_ERROR;
		struct out *to = error ? v->err : v->out;

		buf_set_len(&b, 0);
		shown_diag_text(&b, &all.items[i],
				error ? v->err_style : v->style);
		out_str(to, buf_view(&b));
		out_flush(to);
	}
	buf_release(&b);
}

/* Warnings of a plan that is applied at once are shown with those of the
 * apply. */
static bool is_deferred(const struct show *sh)
{
	return (str_is(sh->o->op, "approved") ||
		str_is(sh->o->op, "refresh")) && !sh->s.errored &&
	       !sh->s.info.failed;
}

void live_diags(struct show *sh)
{
	for (size_t i = 0; i < sh->s.diags.len; i++)
		if (sh->s.diags.items[i].diag.severity == SEV_ERROR)
			sh->s.errored = true;
	if (sh->s.diags.len && !is_deferred(sh)) {
		if (sh->v.json)
			put_messages(sh, &sh->v);
		else
			put_texts(sh);
		if (sh->into.out)
			put_messages(sh, &sh->into);
	}
	sh->s.diags.len = 0;
}

/* --- validate --- */

static size_t count_errors(const struct shown *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->diags.len; i++)
		n += s->diags.items[i].diag.severity == SEV_ERROR;
	return n;
}

static void put_validation(struct show *sh, struct view *v)
{
	struct shown *s = &sh->s;
	size_t errors = count_errors(s), n = s->diags.len;
	const size_t head = sizeof(RECORD_HEAD) - 1;
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
	for (size_t i = 0; i < n; i++) {
		struct str line = s->diags.items[i].line;
		struct str body = str_printf(s->arena, "{%.*s",
					     (int)(line.n - head),
					     line.p + head);
		struct json_error err;
		const struct json *j = json_parse(s->arena, body, &err);

		if (j)
			jw_json(&w, j);
	}
	jw_array_end(&w);
	jw_object_end(&w);
	buf_putc(&b, '\n');
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

static void put_valid(struct show *sh)
{
	bool color = sh->v.style.color;

	out_str(sh->v.out, color ? STR("\033[32m\033[1mSuccess!\033[0m")
				 : STR("Success!"));
	out_str(sh->v.out, sh->s.diags.len
		? STR(" The configuration is valid, but there were some\n"
		      "validation warnings as shown above.\n\n")
		: STR(" The configuration is valid.\n\n"));
}

int live_validate(struct show *sh)
{
	size_t errors = count_errors(&sh->s);
	bool failed = errors || sh->s.info.failed;

	if (sh->into.out)
		put_validation(sh, &sh->into);
	if (sh->v.json) {
		put_validation(sh, &sh->v);
		return failed;
	}
	sh->s.errored = failed;
	if (sh->s.diags.len)
		put_texts(sh);
	if (!failed)
		put_valid(sh);
	return failed;
}
