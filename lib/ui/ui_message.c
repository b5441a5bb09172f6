/*
 * ui_message.c - lines of the -json UI stream, and the output of commands that
 * are no stage
 */
#include <fcntl.h>
#include <unistd.h>

#include "ui/view.h"
#include "json/write.h"
#include "stream/record.h"
#include "base/clock.h"
#include "base/product.h"
#include "base/visible.h"

struct jw ui_message(struct buf *line, const char *level, struct str message)
{
	struct jw w = JW_INIT(line);
	char when[CLOCK_STAMP];

	clock_stamp(when);
	jw_object(&w);
	jw_member_str(&w, "@level", str_c(level));
	jw_member_str(&w, "@message", message);
	jw_member_str(&w, "@module", STR("tofu.ui"));
	jw_member_str(&w, "@timestamp", (struct str){ when, sizeof(when) });
	return w;
}

void ui_message_end(struct view *v, struct buf *line, struct jw *w)
{
	jw_object_end(w);
	buf_putc(line, '\n');
	out_str(v->out, buf_view(line));
	buf_release(line);
}

void ui_version(struct view *v)
{
	struct buf line = BUF_INIT;
	struct jw w;

	if (v->into)
		ui_version(v->into);
	if (!v->json)
		return;
	w = ui_message(&line, "info",
		       str_printf(v->arena, "%s " COMPATIBLE_VERSION,
				  product_peer()));

	jw_member_str(&w, product_is_terraform() ? "terraform" : "tofu",
		      STR(COMPATIBLE_VERSION));
	jw_member_str(&w, "type", STR("version"));
	jw_member_str(&w, "ui", STR("1.2"));
	ui_message_end(v, &line, &w);
}

void ui_for_people(struct view *v)
{
	if (v->out)
		v->out->form = v->json ? OUT_DATA : text_form(v->style);
	if (v->err)
		v->err->form = text_form(v->err_style);
}

void ui_standard(struct view *v, struct arena *a, struct out *out,
		 struct out *err, bool json, bool no_color)
{
	*out = (struct out)OUT_INIT(STDOUT_FILENO);
	*err = (struct out)OUT_INIT(STDERR_FILENO);
	*v = (struct view){
		.arena = a,
		.out = out,
		.err = err,
		.style = text_style_for(STDOUT_FILENO, no_color),
		.err_style = text_style_for(STDERR_FILENO, no_color),
		.json = json,
		.display = v->display,
	};
	ui_for_people(v);
}

int ui_open_into(struct view *into, struct out *out, struct str path,
		 bool append, struct diags *ds)
{
	int fd = io_open(arena_strndup(ds->arena, path.p, path.n),
			 O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC),
			 0600);

	if (fd < 0)
		return diag_error(
			ds, NULL, "Invalid argument",
			"Cannot open %.*s, the file of -json-into: %s.",
			STR_ARG(path), io_why());
	*out = (struct out)OUT_INIT(fd);
	into->json = true;
	into->out = out;
	return 0;
}

int ui_share_into(struct view *v, struct view *into, struct out *out,
		  struct str path, struct diags *ds)
{
	if (!path.n)
		return 0;
	if (v->json)
		return diag_error(ds, NULL, "Invalid output format",
				  "-json and -json-into exclude each other.");
	*into = *v;
	if (ui_open_into(into, out, path, false, ds))
		return -1;
	v->into = into;
	return 0;
}

static void diag_message(struct view *v, const struct diag *d,
			 struct snippets *ss)
{
	bool error = d->severity == SEV_ERROR;
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, error ? "error" : "warn",
				 str_printf(v->arena, "%s: %.*s",
					    error ? "Error" : "Warning",
					    STR_ARG(d->summary)));

	if (v->test_file.n)
		jw_member_str(&w, "@testfile", v->test_file);
	if (v->test_run.n)
		jw_member_str(&w, "@testrun", v->test_run);
	jw_key(&w, "diagnostic");
	jw_object(&w);
	record_diag_members(&w, d, ss);
	jw_object_end(&w);
	jw_member_str(&w, "type", STR("diagnostic"));
	ui_message_end(v, &line, &w);
}

/* Shows the diagnostics of one severity as text, once each. */
static void diags_of(struct view *v, const struct diags *ds,
		     enum severity severity, struct snippets *ss)
{
	bool to_err = severity == SEV_ERROR || v->data;
	struct diags some = DIAGS_INIT(v->arena);
	struct diag_display how = v->display;
	struct text_style st;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < ds->len; i++)
		if (ds->items[i].severity == severity && !ds->items[i].again)
			diags_push(&some, ds->items[i]);
	st = to_err ? v->err_style : v->style;
	st.spaced = !v->test_run.n;
	how.compact_warnings = how.compact_warnings && !ds->errors;
	diags_text(&b, &some, ss, st, &how);
	out_flush(v->out);
	out_str(to_err ? v->err : v->out, buf_view(&b));
	out_flush(to_err ? v->err : v->out);
	buf_release(&b);
}

void ui_diags(struct view *v, const struct diags *ds,
	      const struct sources *sources)
{
	struct snippets ss = { .arena = v->arena, .sources = sources };

	if (v->into)
		ui_diags(v->into, ds, sources);
	if (v->json) {
		for (size_t i = 0; i < ds->len; i++)
			diag_message(v, &ds->items[i], &ss);
		out_flush(v->out);
		return;
	}
	diags_of(v, ds, SEV_WARNING, &ss);
	diags_of(v, ds, SEV_ERROR, &ss);
}

/* The byte behind colours, if there are some at p. */
static const char *skip_colours(const char *p)
{
	while (p[0] == PAINT_MARK && p[1])
		p += 2;
	return p;
}

/* A text without line breaks, bullet and colours, as a message. */
static void say_message(struct view *v, const char *level, const char *text,
			const char *type)
{
	struct buf line = BUF_INIT, flat = BUF_INIT;
	struct jw w;

	while (*text == '\n' || strncmp(text, "- ", 2) == 0)
		text += *text == '\n' ? 1 : 2;
	for (const char *p = skip_colours(text); *p; p = skip_colours(p + 1))
		if (*p != '\n')
			buf_putc(&flat, *p);
		else if (p[1] && p[1] != '\n')
			buf_putc(&flat, ' ');
	w = ui_message(&line, level, buf_view(&flat));
	if (type)
		jw_member_str(&w, "type", str_c(type));
	ui_message_end(v, &line, &w);
	out_flush(v->out);
	buf_release(&flat);
}

static void say(struct view *v, const char *text, const char *message,
		const char *type)
{
	if (v->into)
		say(v->into, text, message, type);
	if (v->json) {
		say_message(v, "info", message, type);
		return;
	}
	out_str(v->out, str_c(text));
	out_write(v->out, "\n", 1);
	out_flush(v->out);
}

void ui_say(struct view *v, const char *text)
{
	say(v, text, text, NULL);
}

void ui_say_both(struct view *v, const char *text, const char *message)
{
	say(v, text, message, NULL);
}

void ui_say_waiting(struct view *v)
{
	static const char text[] =
		"Acquiring state lock. This may take a few moments...";

	say(v, text, text, "state_lock_acquire");
}

void ui_say_error(struct view *v, const char *text)
{
	if (v->into)
		ui_say_error(v->into, text);
	if (v->json) {
		say_message(v, "error", text, NULL);
		return;
	}
	out_flush(v->out);
	out_str(v->err, str_c(text));
	out_write(v->err, "\n", 1);
	out_flush(v->err);
}

void ui_say_bold(struct view *v, const char *before, const char *text)
{
	bool color = !v->json && v->style.color;

	ui_say(v, arena_printf(v->arena, "%s%s%s%s", before,
			       color ? PAINT_BOLD : "", text,
			       color ? PAINT_PLAIN : ""));
}
