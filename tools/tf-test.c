/*
 * tf-test - runs the tests of a module (tf-test(1))
 *
 * The work is in lib/suite.
 */
#include "base/opts.h"
#include "base/workdir.h"
#include "suite/suite.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct str dir, into_path;
	struct str_vec given, vars, var_files;
	bool json, no_color;
	struct suite_options o;
	struct view view, into;
	struct out out, err, into_out;
};

static int read_options(struct tool *t, int argc, char **argv)
{
	struct suite_options *o = &t->o;
	struct diag_display *d = &t->view.display;
	struct input_arg *args;
	bool consolidate = true;
	int rc;
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR", "the module's directory" },
		{ "compact-warnings", OPT_FLAG, &d->compact_warnings, NULL,
		  "warnings by their summaries, if there are no errors" },
		{ "consolidate-errors", OPT_FLAG, &d->consolidate_errors, NULL,
		  "show similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &consolidate, NULL,
		  "show similar warnings as one (default true)" },
		{ "filter", OPT_LIST, &o->filter, "FILE",
		  "run only the tests in this file" },
		{ "json", OPT_FLAG, &t->json, NULL, "messages for programs" },
		{ "json-into", OPT_STRING, &t->into_path, "FILE",
		  "write the messages to a file as well" },
		{ "junit-xml", OPT_STRING, &o->junit, "FILE",
		  "write a report in the form of JUnit to this file" },
		{ "no-color", OPT_FLAG, &t->no_color, NULL, "no colours" },
		{ "parallelism", OPT_INT, &o->parallelism, "N",
		  "runs at a time (default: as many as there are processors)" },
		{ "save", OPT_STRING, &o->save, "DIR",
		  "keep the streams of all runs in this directory" },
		{ "test-directory", OPT_STRING, &o->test_dir, "DIR",
		  "where files of tests are besides the module's own directory "
		  "(default tests)" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "set a variable of the module" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "set variables from a file" },
		{ "verbose", OPT_FLAG, &o->verbose, NULL,
		  "show the plan or the state of each run" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-test", "", table, NULL };

	o->nargs = inputs_args(&t->arena, argc, argv, &args);
	o->args = args;
	rc = front_options(&t->arena, &opts, argc, argv, &t->dir, &t->given,
			   &t->ds);
	d->each_warning = !consolidate;
	return rc;
}

static int run(struct tool *t)
{
	if (t->no_color)
		text_no_color();
	ui_standard(&t->view, &t->arena, &t->out, &t->err, t->json,
		    t->no_color);
	if (ui_share_into(&t->view, &t->into, &t->into_out, t->into_path,
			  &t->ds)) {
		diags_print(&t->ds, NULL);
		return 1;
	}
	ui_version(&t->view);
	workdir_open(&t->arena, &t->workdir);
	t->o.workdir = &t->workdir;
	return suite_run(&t->arena, &t->o, &t->view, &t->ds);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .o = { .test_dir = STR_INIT("tests") } };
	int rc;

	io_init();
	trace_begin("tf-test");
	text_differences(diag_difference);
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0) {
		rc = run(&t);
		if (diags_written(&t.arena, &t.out))
			rc = 1;
		if (t.into_path.n)
			diags_written(&t.arena, &t.into_out);
		out_release(&t.out);
		out_release(&t.err);
	}
	arena_release(&t.arena);
	return trace_end(rc);
}
