/* console_session.c - see console_session.h */
#include <stdio.h>
#include <unistd.h>

#include "ui/console_session.h"
#include "engine/stage/console.h"
#include "install/providers/installed.h"
#include "stream/record.h"
#include "ui/console_input.h"

static void print_diags(struct console_session *s)
{
	struct eval_steps *e = s->e;
	struct snippets ss = { .arena = e->arena };
	struct text_style st = text_style_for(STDERR_FILENO, s->no_color);
	struct out err = OUT_INIT_AS(STDERR_FILENO, text_form(st));

	if (e->config)
		ss.sources = &e->config->sources;
	diags_text(&err.buf, e->ds, &ss, st, &s->display);
	out_flush(&err);
	out_release(&err);
}

void console_session_diags(struct console_session *s)
{
	struct eval_steps *e = s->e;

	if (s->json)
		record_diags(e->out, e->ds,
			     e->config ? &e->config->sources : NULL, STR_NONE);
	else
		print_diags(s);
	diags_clear(e->ds);
}

/* Adds errors to e->ds.  They quote the text, which is in a: print them before
 * releasing a. */
static void answer_one(struct console_session *s, struct arena *a,
		       struct str expr)
{
	struct eval_steps *e = s->e;
	struct buf *out = &e->out->out.buf;
	const struct value *v;

	if (s->json) {
		console_answer(a, e->module, out, STR(""), expr);
		return;
	}
	/* for diagnostics, printed before the text is released */
	sources_put(e->arena, &e->config->sources,
		    source_new(a, STR(CONSOLE_INPUT), expr));
	v = console_eval(a, e->module, expr, e->ds);
	if (v && !console_render(a, out, v, e->ds))
		buf_putc(out, '\n');
}

static const char help[] =
	"An expression, such as var.a or terraform_data.b.id, is answered with "
	"its value:\n"
	"of the variables, of the objects in the state, and of what follows "
	"from both.\n"
	"Nothing is changed. An expression goes on in the next line until its "
	"brackets\n"
	"are closed.\n\n"
	"exit, or Ctrl-D, ends the session.\n";

/* Takes a line; if it completes an expression, answers that.  Returns whether
 * there is more to do. */
static bool take_line(struct console_session *s, struct console_lines *lines,
		      struct str line, bool *bad)
{
	struct arena scratch = ARENA_INIT;
	bool done;

	if (!console_lines_add(lines, line))
		return true;
	done = str_is(buf_view(&lines->text), "exit");
	if (str_is(buf_view(&lines->text), "help") && !s->json)
		buf_puts(&s->e->out->out.buf, help);
	else if (lines->text.len && !done)
		answer_one(s, &scratch, buf_view(&lines->text));
	*bad = s->e->ds->errors != 0;
	out_flush(&s->e->out->out);
	console_session_diags(s);
	console_lines_clear(lines);
	arena_release(&scratch);
	return !done;
}

static int answer_lines(struct console_session *s)
{
	struct console_lines lines = { .text = BUF_INIT };
	struct console_input in;
	bool prompt = isatty(STDIN_FILENO), bad = false, more = true;

	console_input_init(&in);
	while (more && !(bad && !prompt)) {
		const char *line;
		ssize_t n = console_input_line(&in, lines.text.len != 0, &line);

		if (n < 0)
			break;
		if (n == 0) {
			console_lines_clear(&lines);
			continue;
		}
		if (n && line[n - 1] == '\n')
			n--;
		more = take_line(s, &lines, (struct str){ line, (size_t)n },
				 &bad);
	}
	console_input_release(&in);
	buf_release(&lines.text);
	return bad && !prompt ? -1 : 0;
}

static int answer(struct console_session *s, enum session_kind kind,
		  struct str expr)
{
	struct eval_steps *e = s->e;

	switch (kind) {
	case SESSION_BATCH:
		return batch_answer(e->module, stdin, &e->out->out, e->ds);
	case SESSION_LINES:
		return answer_lines(s);
	case SESSION_ONE:
		break;
	}
	answer_one(s, e->arena, expr);
	return 0;
}

bool console_session_run(struct console_session *s, enum session_kind kind,
			 struct str expr)
{
	struct eval_steps *e = s->e;
	struct provider_source *providers = NULL;
	int rc = eval_steps_load(e);

	if (!s->json && kind != SESSION_BATCH)
		e->out->out.form = OUT_TEXT;
	if (!rc && kind == SESSION_LINES)
		providers = installed_source(e->arena, e->workdir,
					     e->config->default_host);
	rc = rc || eval_steps_open(e, providers);
	if (!rc) {
		console_session_diags(s);
		rc = answer(s, kind, expr);
	}
	rc |= e->ds->errors != 0;
	console_session_diags(s);
	return diags_written(e->arena, &e->out->out) || rc;
}
