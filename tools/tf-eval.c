/*
 * tf-eval - the second stage: evaluates what is known without state and
 * providers; also single expressions (tf-eval(1))
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/console_input.h"
#include "tools/eval_batch.h"
#include "engine/stage/console.h"
#include "engine/stage/edits.h"
#include "engine/stage/eval_stage.h"
#include "engine/stage/missing.h"
#include "engine/stage/current.h"
#include "engine/stage/stage.h"
#include "funcs/funcs.h"
#include "install/providers/installed.h"
#include "ui/diag_text.h"
#include "ui/front.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct loop *loop;
	struct config *config;
	struct run *run;
	struct inputs inputs;
	struct stream_out out;
	struct stream_info info; /* of the stream read */
	struct str cwd;          /* where the tool was started */
	/* options */
	struct str dir, expr, state_path, missing_file, ignored_text;
	struct str_vec vars, var_files, rest, given;
	bool batch, console, functions, missing, json, no_color,
		show_sensitive, consolidate, ignored;
	struct diag_display display;
	bool lacking; /* -missing-file has been written: the stream fails */
};

/* --- diagnostics --- */

static void print_diags(struct tool *t)
{
	struct snippets ss = { .arena = &t->arena };
	struct buf b = BUF_INIT;

	if (t->config)
		ss.sources = &t->config->sources;
	t->display.each_warning = !t->consolidate;
	diags_text(&b, &t->ds, &ss,
		   text_style_for(STDERR_FILENO, t->no_color), &t->display);
	io_write_all(STDERR_FILENO, b.p, b.len);
	buf_release(&b);
}

/* Shows what there is and forgets it. */
static void flush_diags(struct tool *t)
{
	if (t->json)
		record_diags(&t->out, &t->ds,
			     t->config ? &t->config->sources : NULL, STR_NONE);
	else
		print_diags(t);
	t->ds.len = t->ds.errors = 0;
}

/* --- the configuration --- */

static int enter(struct tool *t)
{
	t->cwd = inputs_original_dir(&t->arena);
	if (t->dir.n && chdir(t->dir.p))
		return diag_error(&t->ds, NULL, "Unhandled error",
				  "Cannot change to the directory %.*s: %s.",
				  STR_ARG(t->dir), strerror(errno));
	return 0;
}

static const struct func *builtin(void *data, struct str name)
{
	(void)data;
	return funcs_lookup(name);
}

static int load(struct tool *t)
{
	struct config_options o = { .dir = STR("."), .function = builtin,
				    .stepwise = t->console };

	o.data_dir = str_c(getenv("TF_DATA_DIR"));
	if (!o.data_dir.n)
		o.data_dir = STR(".terraform");
	t->config = config_load(&t->arena, &o, &t->ds);
	return t->ds.errors ? -1 : 0;
}

static int take_record(void *data, struct str kind, struct str line,
		       struct diags *ds)
{
	struct tool *t = data;
	int rc = config_read_record(t->config, kind, line, ds);

	return rc > 0 ? 0 : rc;
}

static int read_stream(struct tool *t)
{
	struct diags quiet = DIAGS_INIT(&t->arena);
	int rc;

	t->config = config_new(&t->arena);
	t->config->outline = true;
	rc = stream_read(&t->arena, STDIN_FILENO, &t->info, &t->out,
			 take_record, t, &t->ds);
	t->out.started = rc == 0;
	if (rc == 0 && stream_has_stage(&t->info, "tf-eval"))
		rc = diag_error(&t->ds, NULL, "Stage already done",
				"The stream went through tf-eval before.");
	if (rc == 0 && !t->info.failed)
		rc = edits_check_eval(&t->arena, &t->out, &t->info, &t->ds);
	/* what a failed stage left behind need not fit together */
	if (config_finish(t->config, rc || t->info.failed ? &quiet : &t->ds))
		rc = t->info.failed ? rc : -1;
	return rc;
}

static int get_inputs(struct tool *t, int argc, char **argv)
{
	struct inputs_options o = { .dir = STR("."), .environ = environ,
				    .sources = &t->config->sources };
	struct input_arg *args;

	o.nargs = inputs_args(&t->arena, argc, argv, &args);
	o.args = args;
	return inputs_collect(&t->arena, &o, &t->inputs, &t->ds);
}

static int start(struct tool *t, bool unknown_inputs)
{
	struct run_options o = { .phase = RUN_EVAL, .dir = STR("."),
				 .console = unknown_inputs };
	struct state *state = NULL;

	if (t->console) {
		if (!current_check(&t->arena, t->config, &t->inputs, &t->ds))
			state = current_state(&t->arena, t->state_path,
					      &t->ds);
		if (!state)
			return -1;
		o.providers = installed_source(&t->arena,
					       t->config->default_host);
	}
	o.original_dir = t->cwd;
	o.workspace = str_c(getenv("TF_WORKSPACE"));
	t->loop = loop_new();
	t->run = run_new(&t->arena, t->loop, t->config, state, &o,
			 &t->ds);
	t->run->inputs = t->inputs;
	if (unknown_inputs)
		console_unknown_inputs(t->run);
	return inputs_parse(&t->arena, &t->run->inputs, t->config->root,
			    &t->ds);
}

/* Nobody is asked for values, or told of them, where the backend is not
 * ready: OpenTofu looks at it first.  For who can ask for values and run the
 * stage again they are listed. */
static int look_for_missing(struct tool *t)
{
	struct str_vec names = { 0 };

	missing_inputs(t->config->root, &t->inputs, &t->arena, &names);
	if (!names.len)
		return 0;
	if (current_check(&t->arena, t->config, &t->inputs, &t->ds))
		return -1;
	if (!t->missing_file.n)
		return 0;
	t->lacking = true;
	inputs_write_missing(t->missing_file, t->config->root, &names, &t->ds);
	return -1;
}

/* The work of the stage itself. */
static void evaluate_all(struct tool *t, int argc, char **argv)
{
	if (get_inputs(t, argc, argv) || look_for_missing(t))
		return;
	if (!start(t, false))
		eval_stage_write(t->run, &t->out, &t->ds);
}

/* --- modes --- */

static void stage_from_dir(struct tool *t, int argc, char **argv)
{
	int rc = load(t);

	stream_begin(&t->out, "tf-eval", &t->given);
	if (rc || t->ds.errors) {
		config_write_sources(&t->out, t->config);
		return;
	}
	config_check_references(t->config, &t->ds);
	config_write(&t->out, t->config);
	if (!t->ds.errors)
		evaluate_all(t, argc, argv);
}

static void stage_from_stream(struct tool *t, int argc, char **argv)
{
	int rc = read_stream(t);

	stream_begin(&t->out, "tf-eval", &t->given);
	if (rc || t->info.failed)
		return;
	evaluate_all(t, argc, argv);
}

static int run_stage(struct tool *t, int argc, char **argv)
{
	bool failed;

	if (stream_choose(t->dir) == STREAM_FROM_DIR)
		stage_from_dir(t, argc, argv);
	else
		stage_from_stream(t, argc, argv);
	failed = t->ds.errors || t->info.failed || t->lacking;
	if (t->no_color)
		text_no_color();
	return front_end(&t->out, "tf-eval", &t->ds,
			 t->config ? &t->config->sources : NULL, t->json,
			 NULL, failed);
}

/* Loads the directory and reports what is wrong with it; expressions are
 * evaluated all the same unless there is no telling. */
static int open_console(struct tool *t, int argc, char **argv)
{
	if (load(t) || get_inputs(t, argc, argv) || start(t, true))
		return -1;
	if (eval_stage_check(t->run, &t->ds))
		diag_warning(&t->ds, NULL,
			     "Due to the problems above, some expressions may "
			     "produce unexpected results.", "%s", "");
	return 0;
}

static void evaluate(struct tool *t, struct arena *a, struct str expr)
{
	const struct value *v;

	if (t->json) {
		console_answer(a, t->run, &t->out.out.buf, STR(""), expr);
		return;
	}
	/* for diagnostics, which are told before the text goes */
	sources_put(&t->arena, &t->config->sources,
		    source_new(a, STR(CONSOLE_INPUT), expr));
	v = console_eval(a, t->run, expr, &t->ds);
	if (v && !console_render(a, &t->out.out.buf, v, &t->ds))
		buf_putc(&t->out.out.buf, '\n');
}

static int run_console(struct tool *t)
{
	struct console_lines lines = { .text = BUF_INIT };
	struct console_input in;
	bool prompt = isatty(STDIN_FILENO), bad = false, done = false;

	console_input_init(&in);
	while (!done && !(bad && !prompt)) {
		struct arena scratch = ARENA_INIT;
		const char *line;
		ssize_t n = console_input_line(&in, lines.text.len != 0, &line);

		if (n < 0)
			break;
		if (n && line[n - 1] == '\n')
			n--;
		if (console_lines_add(&lines, (struct str){ line,
							    (size_t)n })) {
			done = str_is(buf_view(&lines.text), "exit");
			if (lines.text.len && !done)
				evaluate(t, &scratch, buf_view(&lines.text));
			bad = t->ds.errors != 0;
			out_flush(&t->out.out);
			flush_diags(t);
			console_lines_clear(&lines);
		}
		arena_release(&scratch);
	}
	console_input_release(&in);
	buf_release(&lines.text);
	return bad && !prompt;
}

static int run_expressions(struct tool *t, int argc, char **argv)
{
	struct arena scratch = ARENA_INIT;
	int rc = open_console(t, argc, argv);

	if (rc == 0) {
		flush_diags(t);
		if (t->batch)
			rc = eval_batch(t->run, &t->out.out, &t->ds);
		else if (t->console)
			rc = run_console(t);
		else
			evaluate(t, &scratch, t->expr);
	}
	rc |= t->ds.errors != 0;
	flush_diags(t);
	arena_release(&scratch);
	return out_flush(&t->out.out) || rc;
}

static int run_missing(struct tool *t, int argc, char **argv)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR;
	struct str_vec names = { 0 };
	int rc;

	t->out.out.fd = -1; /* the stream is not passed on */
	rc = from_dir ? load(t) : read_stream(t);
	buf_set_len(&t->out.out.buf, 0);
	t->out.out.fd = STDOUT_FILENO;
	if (rc || t->info.failed || get_inputs(t, argc, argv))
		return 1;
	missing_inputs(t->config->root, &t->inputs, &t->arena, &names);
	for (size_t i = 0; i < names.len; i++) {
		out_str(&t->out.out, names.items[i]);
		out_str(&t->out.out, STR("\n"));
	}
	return out_flush(&t->out.out);
}

static int run_functions(struct tool *t)
{
	struct jw w = JW_INIT(&t->out.out.buf);

	funcs_metadata_json(&w);
	buf_putc(&t->out.out.buf, '\n');
	return out_flush(&t->out.out);
}

static int run(struct tool *t, int argc, char **argv)
{
	if (t->functions)
		return run_functions(t);
	if (enter(t)) {
		flush_diags(t);
		return 1;
	}
	if (t->expr.p || t->batch || t->console)
		return run_expressions(t, argc, argv);
	if (t->missing)
		return run_missing(t, argc, argv);
	return run_stage(t, argc, argv);
}

/* Options that count with -console alone, and that do not count with it. */
static int check_options(struct tool *t)
{
	static const char *const of_console[] = { "input", "lock",
						  "lock-timeout", "state",
						  NULL };
	static const char *const of_others[] = { "batch", "e", "functions",
						 "missing", "missing-file",
						 "show-sensitive", NULL };
	const char *const *wrong = t->console ? of_others : of_console;

	if (t->rest.len)
		return diag_error(&t->ds, NULL,
				  "Too many command line arguments",
				  "%s takes no operands.",
				  t->console ? "The console" : "tf-eval");
	for (; *wrong; wrong++)
		if (opts_given(&t->given, *wrong))
			return diag_error(&t->ds, NULL, "Unsupported option",
					  "-%s has no effect with%s -console.",
					  *wrong, t->console ? "" : "out");
	return 0;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .consolidate = true };
	const struct opt table[] = {
		{ "C", OPT_STRING, &t.dir, "DIR",
		  "start from the configuration in DIR" },
		{ "batch", OPT_FLAG, &t.batch, NULL,
		  "answer expressions, as JSON lines" },
		{ "compact-warnings", OPT_FLAG, &t.display.compact_warnings,
		  NULL, "warnings without their detail" },
		{ "console", OPT_FLAG, &t.console, NULL,
		  "evaluate lines of input" },
		{ "consolidate-errors", OPT_FLAG,
		  &t.display.consolidate_errors, NULL,
		  "similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &t.consolidate, NULL,
		  "similar warnings as one (default true)" },
		{ "e", OPT_STRING, &t.expr, "EXPR",
		  "evaluate one expression" },
		{ "functions", OPT_FLAG, &t.functions, NULL,
		  "describe the functions, as JSON" },
		{ "input", OPT_FLAG, &t.ignored, NULL,
		  "-console: accepted; no values are asked for" },
		{ "json", OPT_FLAG, &t.json, NULL,
		  "diagnostics and answers as JSON lines" },
		{ "json-into", OPT_REFUSED, NULL, NULL,
		  "-json answers in JSON" },
		{ "lock", OPT_FLAG, &t.ignored, NULL,
		  "-console: accepted; reading takes no lock" },
		{ "lock-timeout", OPT_STRING, &t.ignored_text, "DURATION",
		  "-console: accepted, as -lock" },
		{ "missing", OPT_FLAG, &t.missing, NULL,
		  "print the names of variables that need a value" },
		{ "missing-file", OPT_STRING, &t.missing_file, "FILE",
		  "list them there instead of errors" },
		{ "no-color", OPT_FLAG, &t.no_color, NULL,
		  "no terminal colours" },
		{ "show-sensitive", OPT_FLAG, &t.show_sensitive, NULL,
		  "show sensitive values on a terminal" },
		{ "state", OPT_STRING, &t.state_path, "FILE",
		  "-console: the state file" },
		{ "var", OPT_LIST, &t.vars, "NAME=VALUE",
		  "the value of a variable" },
		{ "var-file", OPT_LIST, &t.var_files, "FILE",
		  "values of variables" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	struct opts o = { "tf-eval", "", table, NULL };
	int rc = 1;

	io_init();
	t.ds = (struct diags)DIAGS_INIT(&t.arena);
	switch (opts_parse(&t.arena, &o, argc, argv, &t.rest, &t.given,
			   &t.ds)) {
	case OPTS_DONE:
		rc = 0;
		break;
	case OPTS_RUN:
		if (check_options(&t)) {
			print_diags(&t);
			break;
		}
		stream_out_init(&t.out, STDOUT_FILENO, t.show_sensitive);
		rc = run(&t, argc, argv);
		break;
	case OPTS_BAD:
		print_diags(&t);
		break;
	}
	if (t.run)
		run_free(t.run);
	if (t.loop)
		loop_free(t.loop);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return rc ? 1 : 0;
}
