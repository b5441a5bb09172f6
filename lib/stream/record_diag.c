/*
 * record_diag.c - diagnostics and sources as records
 *
 * A diagnostic has the published shape of `validate -json`; told, code and
 * cause are ours.
 */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "stream/record.h"
#include "json/tree.h"
#include "json/write.h"
#include "base/diag.h"
#include "json/read.h"
#include "stream/stream.h"

struct str diag_told_here(struct arena *a)
{
	const dev_t null_device = makedev(1, 3);
	struct stat st;

	if (fstat(STDERR_FILENO, &st) ||
	    (S_ISCHR(st.st_mode) && st.st_rdev == null_device))
		return STR_NONE;
	return str_printf(a, "%ld:%llx:%llx", (long)getpgrp(),
			  (unsigned long long)st.st_dev,
			  (unsigned long long)st.st_ino);
}

static void write_pos(struct jw *w, const char *member, struct pos p)
{
	jw_key(w, member);
	jw_object(w);
	jw_member_int(w, "line", p.line);
	jw_member_int(w, "column", p.column);
	jw_member_int(w, "byte", p.byte);
	jw_object_end(w);
}

static void write_values(struct jw *w, const struct diag *d)
{
	jw_key(w, "values");
	jw_array(w);
	for (size_t i = 0; i < d->nvalues; i++) {
		jw_object(w);
		jw_member_str(w, "traversal", d->values[i].traversal);
		jw_member_str(w, "statement", d->values[i].statement);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void write_snippet(struct jw *w, const struct diag *d,
			  const struct snippet *s)
{
	jw_key(w, "snippet");
	jw_object(w);
	jw_key(w, "context");
	if (s->context.p)
		jw_str(w, s->context);
	else
		jw_null(w);
	jw_member_str(w, "code", s->code);
	jw_member_int(w, "start_line", s->start_line);
	jw_member_int(w, "highlight_start_offset", s->highlight_start);
	jw_member_int(w, "highlight_end_offset", s->highlight_end);
	write_values(w, d);
	if (d->call.n) {
		jw_key(w, "function_call");
		jw_object(w);
		jw_member_str(w, "called_as", d->call);
		if (d->signature.n) {
			jw_key(w, "signature");
			jw_raw(w, d->signature);
		}
		jw_object_end(w);
	}
	jw_object_end(w);
}

void record_diag_members(struct jw *w, const struct diag *d,
			 struct snippets *ss)
{
	struct range at = d->subject;
	struct snippet snippet;
	bool shown = snippet_cut(ss, d, &snippet, &at);

	jw_member_str(w, "severity",
		      d->severity == SEV_ERROR ? STR("error") : STR("warning"));
	jw_member_str(w, "summary", d->summary);
	jw_member_str(w, "detail", d->detail);
	if (d->address.n)
		jw_member_str(w, "address", d->address);
	if (!range_present(&d->subject))
		return;
	jw_key(w, "range");
	jw_object(w);
	jw_member_str(w, "filename", at.file);
	write_pos(w, "start", at.start);
	write_pos(w, "end", at.end);
	jw_object_end(w);
	if (shown)
		write_snippet(w, d, &snippet);
	if (d->difference.n) {
		jw_key(w, "difference");
		jw_raw(w, d->difference);
	}
}

/* For our own programs; not in the published format. */
static void write_code(struct jw *w, const struct diag *d)
{
	if (d->again)
		jw_member_bool(w, "again", true);
	if (d->remote)
		jw_member_bool(w, "remote", true);
	if (d->check.n)
		jw_member_str(w, "check", d->check);
	if (d->code == DIAG_PLAIN)
		return;
	jw_member_str(w, "code", str_c(diag_kind(d->code)->name));
	if (d->cause.n)
		jw_member_str(w, "cause", d->cause);
}

void record_diags(struct stream_out *o, const struct diags *ds,
		  const struct sources *ss, struct str told)
{
	struct arena a = ARENA_INIT;
	struct snippets snippets = { .arena = &a, .sources = ss };

	for (size_t i = 0; i < ds->len; i++) {
		struct jw w = stream_record(o, "diagnostic", STR_NONE);

		if (told.n)
			jw_member_str(&w, "told", told);
		write_code(&w, &ds->items[i]);
		record_diag_members(&w, &ds->items[i], &snippets);
		stream_record_end(o, &w);
	}
	arena_release(&a);
}

static struct pos read_pos(const struct json *j)
{
	return (struct pos){ (uint32_t)json_get_int(j, "line", 0),
			     (uint32_t)json_get_int(j, "column", 0),
			     (uint32_t)json_get_int(j, "byte", 0) };
}

static struct str text_of(struct arena *a, const struct json *j,
			  const char *member)
{
	return str_dup(a, json_get_str(j, member));
}

/* A member as it is, as text; STR_NONE: it is not there. */
static struct str json_of(struct arena *a, const struct json *j,
			  const char *member)
{
	const struct json *m = json_get(j, member);
	struct str text = STR_NONE;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (m) {
		jw_json(&w, m);
		text = buf_dup(a, &b);
	}
	buf_release(&b);
	return text;
}

int record_diag_read(struct arena *a, const struct json *j, struct diag *out)
{
	const struct json *range = json_get(j, "range");
	const struct json *snippet = json_get(j, "snippet");
	const struct json *values = json_get(snippet, "values");
	struct str severity = json_get_str(j, "severity");

	*out = (struct diag){ .severity = SEV_ERROR };
	if (str_is(severity, "warning"))
		out->severity = SEV_WARNING;
	else if (!str_is(severity, "error"))
		return -1;
	out->code = diag_code_find(json_get_str(j, "code"));
	out->cause = text_of(a, j, "cause");
	out->check = text_of(a, j, "check");
	out->again = json_get_bool(j, "again", false);
	out->remote = json_get_bool(j, "remote", false);
	out->summary = text_of(a, j, "summary");
	out->detail = text_of(a, j, "detail");
	out->address = text_of(a, j, "address");
	if (range) {
		out->subject.file = text_of(a, range, "filename");
		out->subject.start = read_pos(json_get(range, "start"));
		out->subject.end = read_pos(json_get(range, "end"));
	}
	out->call = text_of(a, json_get(snippet, "function_call"), "called_as");
	out->signature =
		json_of(a, json_get(snippet, "function_call"), "signature");
	out->difference = json_of(a, j, "difference");
	if (!values || values->kind != JSON_ARRAY)
		return 0;
	out->values = ARENA_ARRAY(a, struct diag_value, values->len);
	out->nvalues = values->len;
	for (size_t i = 0; i < values->len; i++) {
		const struct json *v = &values->items[i];

		out->values[i].traversal = text_of(a, v, "traversal");
		out->values[i].statement = text_of(a, v, "statement");
	}
	return 0;
}

bool record_snippet_read(struct arena *a, const struct json *j,
			 struct snippet *out)
{
	const struct json *s = json_get(j, "snippet");

	if (!s || s->kind != JSON_OBJECT)
		return false;
	*out = (struct snippet){
		.context = json_get_str(s, "context").n
				   ? text_of(a, s, "context")
				   : STR_NONE,
		.code = text_of(a, s, "code"),
		.start_line = (uint32_t)json_get_int(s, "start_line", 1),
		.highlight_start =
			(uint32_t)json_get_int(s, "highlight_start_offset", 0),
		.highlight_end =
			(uint32_t)json_get_int(s, "highlight_end_offset", 0),
	};
	return true;
}

bool record_diag_told(struct arena *a, const struct json *j)
{
	struct str told = json_get_str(j, "told");

	return told.n && str_eq(told, diag_told_here(a));
}

void record_source(struct stream_out *o, const struct source *s)
{
	struct jw w;

	if (!str_utf8_valid(s->text))
		return;
	w = stream_record(o, "source", STR_NONE);
	jw_member_str(&w, "filename", s->name);
	jw_member_str(&w, "text", s->text);
	stream_record_end(o, &w);
}

int record_source_read(struct arena *a, struct str line, struct sources *ss)
{
	struct json_slice s = JSON_SLICE_INIT(line);
	struct str name = STR_NONE, text = STR_NONE;

	while (json_slice_next(&s)) {
		if (str_is(s.name, "filename"))
			name = json_slice_str(a, s.value);
		else if (str_is(s.name, "text"))
			text = json_slice_str(a, s.value);
	}
	if (s.bad || !name.p || !text.p)
		return -1;
	/* without escapes they are the line's */
	if (text.p >= line.p && text.p <= line.p + line.n)
		text = str_dup(a, text);
	sources_put(a, ss, source_new(a, str_dup(a, name), text));
	return 0;
}
