/*
 * tf-eval - the second stage: evaluates what is known without state and
 * providers; also single expressions (tf-eval(1))
 *
 * The work is in lib/engine/stage.
 */
#include <unistd.h>

#include "base/confine.h"
#include "base/workdir.h"
#include "engine/stage/eval_steps.h"
#include "funcs/table.h"
#include "json/write.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/console_session.h"
#include "ui/diag_text.h"
#include "ui/display.h"

/* The mode: one of these. */
enum mode {
	STAGE = 1,
	BATCH = 2,
	CONSOLE = 4,
	EXPRESSION = 8,
	FUNCTIONS = 16,
	MISSING = 32,
};

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct stream_out out;
	struct eval_steps e;
	struct console_session shown;
	/* options */
	struct str dir, expr, ignored_text;
	struct str_vec vars, var_files, rest, given;
	bool batch, functions, missing, show_sensitive, consolidate, ignored,
		seal;
	enum mode mode;
	const char *mode_option;
};

static void choose_mode(struct tool *t)
{
	const struct {
		enum mode mode;
		bool on;
		const char *option;
	} modes[] = {
		{ CONSOLE, t->e.console, "console" },
		{ FUNCTIONS, t->functions, "functions" },
		{ BATCH, t->batch, "batch" },
		{ EXPRESSION, t->expr.p != NULL, "e" },
		{ MISSING, t->missing, "missing" },
		{ STAGE, true, NULL },
	};
	size_t i = 0;

	while (!modes[i].on)
		i++;
	t->mode = modes[i].mode;
	t->mode_option = modes[i].option;
}

static int check_options(struct tool *t, const struct opts *o)
{
	const struct opt *p;

	choose_mode(t);
	if (t->rest.len)
		return diag_error(&t->ds, NULL,
				  "Too many command line arguments",
				  "%s takes no operands.",
				  t->mode == CONSOLE ? "The console"
						     : "tf-eval");
	p = opts_misplaced(o, &t->given, t->mode);
	if (p && p->modes == CONSOLE)
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "-%s has no effect without -console.",
				  p->name);
	if (p)
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "-%s has no effect with -%s.", p->name,
				  t->mode_option);
	return 0;
}

static enum opts_result read_options(struct tool *t, int argc, char **argv)
{
	struct console_session *s = &t->shown;
	struct diag_display *display = &s->display;
	struct input_arg *args;
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "start from the configuration in DIR" },
		{ "batch", OPT_FLAG, &t->batch, NULL,
		  "answer expressions, as JSON lines", .modes = STAGE | BATCH },
		{ "compact-warnings", OPT_FLAG, &display->compact_warnings,
		  NULL, "warnings without their detail" },
		{ "console", OPT_FLAG, &t->e.console, NULL,
		  "evaluate lines of input" },
		{ "consolidate-errors", OPT_FLAG, &display->consolidate_errors,
		  NULL, "similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &t->consolidate, NULL,
		  "similar warnings as one (default true)" },
		{ "e", OPT_STRING, &t->expr, "EXPR", "evaluate one expression",
		  .modes = EXPRESSION },
		{ "functions", OPT_FLAG, &t->functions, NULL,
		  "describe the functions, as JSON",
		  .modes = STAGE | FUNCTIONS },
		{ "input", OPT_FLAG, &t->ignored, NULL,
		  "-console: accepted; no values are asked for",
		  .modes = CONSOLE },
		{ "json", OPT_FLAG, &s->json, NULL,
		  "diagnostics and answers as JSON lines" },
		{ "json-into", OPT_REFUSED, NULL, NULL,
		  "-json answers in JSON" },
		{ "lean", OPT_FLAG, &t->e.lean, NULL,
		  "in tf's own pipe: write what tf-plan takes, no more",
		  .flags = OPT_HIDDEN, .modes = STAGE },
		{ "lock", OPT_FLAG, &t->ignored, NULL,
		  "-console: accepted; reading takes no lock",
		  .modes = CONSOLE },
		{ "lock-timeout", OPT_STRING, &t->ignored_text, "DURATION",
		  "-console: accepted, as -lock", .modes = CONSOLE },
		{ "missing", OPT_FLAG, &t->missing, NULL,
		  "print the names of variables that need a value",
		  .modes = STAGE | MISSING },
		{ "missing-file", OPT_STRING, &t->e.missing_file, "FILE",
		  "list them there instead of errors", .modes = STAGE },
		{ "no-color", OPT_FLAG, &s->no_color, NULL,
		  "no terminal colours" },
		{ "scope", OPT_STRING, &t->e.scope, "ADDRESS",
		  "evaluate in this instance of a module",
		  .modes = CONSOLE | BATCH | EXPRESSION },
		{ "seal", OPT_FLAG, &t->seal, NULL,
		  "find out what was edited, and let the next stage do so (default true)",
		  .modes = STAGE },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "show sensitive values on a terminal",
		  .modes = ~(unsigned)CONSOLE },
		{ "state", OPT_STRING, &t->e.state_path, "FILE",
		  "-console: the state file", .modes = CONSOLE },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "the value of a variable" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "values of variables" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-eval", "", table, NULL };
	enum opts_result r = opts_parse(&t->arena, &o, argc, argv, &t->rest,
					&t->given, &t->ds);

	display->each_warning = !t->consolidate;
	if (r != OPTS_RUN || check_options(t, &o))
		return r == OPTS_DONE ? r : OPTS_BAD;
	if (t->mode == FUNCTIONS)
		return r;
	t->e.cwd = workdir_before(&t->arena);
	t->e.nargs = inputs_args(&t->arena, argc, argv, &args);
	t->e.args = args;
	if (opts_enter(t->dir, &t->ds))
		return OPTS_BAD;
	workdir_open(&t->arena, &t->workdir);
	return r;
}

/* --- modes --- */

static int run_stage(struct tool *t)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR;
	bool failed = eval_steps_stage(&t->e, from_dir);

	if (t->shown.no_color)
		text_no_color();
	return front_end(&t->out, "tf-eval", &t->ds,
			 t->e.config ? &t->e.config->sources : NULL,
			 t->shown.json, NULL, failed);
}

static int run_missing(struct tool *t)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR;
	struct str_vec names = { 0 };

	if (eval_steps_missing(&t->e, from_dir, &names)) {
		t->shown.json = false; /* there is no stream to put them in */
		console_session_diags(&t->shown);
		return 1;
	}
	for (size_t i = 0; i < names.len; i++) {
		out_str(&t->out.out, names.items[i]);
		out_str(&t->out.out, STR("\n"));
	}
	return diags_written(&t->arena, &t->out.out);
}

static int run_functions(struct tool *t)
{
	struct jw w = JW_INIT(&t->out.out.buf);

	funcs_metadata_json(&w);
	buf_putc(&t->out.out.buf, '\n');
	return diags_written(&t->arena, &t->out.out);
}

/* The console starts providers, for their functions. */
static void stay(const struct tool *t)
{
	const char *const named[] = { t->e.missing_file.n ? t->e.missing_file.p
							  : NULL,
				      NULL };

	if (t->mode & (STAGE | MISSING | FUNCTIONS))
		confine(&(struct confine){ .replace = named,
					   .modes = named[0] });
}

static int run(struct tool *t)
{
	stay(t);
	switch (t->mode) {
	case STAGE:
		return run_stage(t);
	case MISSING:
		return run_missing(t);
	case FUNCTIONS:
		return run_functions(t);
	case BATCH:
		return console_session_run(&t->shown, SESSION_BATCH, STR_NONE);
	case CONSOLE:
		return console_session_run(&t->shown, SESSION_LINES, STR_NONE);
	case EXPRESSION:
		break;
	}
	return console_session_run(&t->shown, SESSION_ONE, t->expr);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .consolidate = true,
			  .seal = true };
	int rc = 1;

	io_init();
	trace_begin("tf-eval");
	text_differences(diag_difference);
	t.ds = (struct diags)DIAGS_INIT(&t.arena);
	t.shown.e = &t.e;
	t.e.arena = &t.arena;
	t.e.ds = &t.ds;
	t.e.out = &t.out;
	t.e.given = &t.given;
	t.e.workdir = &t.workdir;
	switch (read_options(&t, argc, argv)) {
	case OPTS_DONE:
		rc = 0;
		break;
	case OPTS_RUN:
		stream_out_init(&t.out, STDOUT_FILENO, t.show_sensitive);
		if (!t.seal)
			stream_without_seal(&t.out);
		rc = run(&t);
		break;
	case OPTS_BAD:
		t.shown.json = false; /* no stream has begun */
		console_session_diags(&t.shown);
		break;
	}
	eval_steps_release(&t.e);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return trace_end(rc ? 1 : 0);
}
