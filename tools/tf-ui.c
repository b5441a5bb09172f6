/*
 * tf-ui.c - shows a stream while it comes: the end of a pipe (tf-ui(1))
 *
 * The work is in lib/ui.
 */
#include <signal.h>
#include <unistd.h>

#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"
#include "ui/live/live.h"
#include "ui/show/form/form.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct live_options o;
	struct str op, color, format;
	struct str_vec given;
	long max_size;
	bool consolidate, summary;
};

static int check_op(struct tool *t)
{
	if (!t->op.n || live_op_find(t->op, &t->o.op) == 0)
		return 0;
	return diag_error(&t->ds, NULL, "Unsupported operation",
			  "There is no operation \"%.*s\": see tf-ui(1).",
			  STR_ARG(t->op));
}

static const struct opt_group forms = {
	"Invalid output format",
	"-json, -summary and -format are different forms: use only one of them."
};

static void check_form(struct tool *t)
{
	struct live_options *o = &t->o;

	if (t->summary)
		o->form = &form_summary;
	o->max_size = (size_t)t->max_size;
	if (!form_options(opts_given(&t->given, "format") ? &t->format : NULL,
			  opts_given(&t->given, "max-size") ? &t->max_size
							    : NULL,
			  o->show_sensitive, &o->form, &t->ds) &&
	    o->form && o->form->alone && str_is(o->out, "-"))
		diag_error(
			&t->ds, NULL, "Incompatible options",
			"-format and -out=- write to the same place: use only one of them.");
}

/* -1: go on; else the exit status. */
static int read_options(struct tool *t, int argc, char **argv)
{
	struct diag_display *d = &t->o.display;
	const struct str no_dir = STR_NONE;
	const struct opt table[] = {
		{ "color", OPT_STRING, &t->color, "WHEN",
		  "colours: always, never or auto (on a terminal)",
		  .group = &text_color_group },
		{ "begun", OPT_FLAG, &t->o.begun, NULL,
		  "another program has told the version and what came before",
		  .flags = OPT_HIDDEN },
		{ "compact-warnings", OPT_FLAG, &d->compact_warnings, NULL,
		  "warnings without their detail" },
		{ "concise", OPT_FLAG, &t->o.concise, NULL,
		  "no lines about what is refreshed and done" },
		{ "consolidate-errors", OPT_FLAG, &d->consolidate_errors, NULL,
		  "similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &t->consolidate, NULL,
		  "similar warnings as one (default true)" },
		{ "continued", OPT_FLAG, &t->o.continued, NULL,
		  "with -json: no version line" },
		{ "deprecation", OPT_STRING, &d->deprecation, "LEVEL",
		  "module:none, module:local: whose warnings are shown" },
		{ "detailed-exitcode", OPT_FLAG, &t->o.detailed_exitcode, NULL,
		  "exit with 2 when there is something to apply" },
		{ "feed", OPT_STRING, &t->o.feed, "FIFO",
		  "the plan shown goes there but for its end" },
		{ "format", OPT_STRING, &t->format, "FORM",
		  "the plan as flat, html, md or tsv; all else to standard error",
		  .group = &forms },
		{ "generated", OPT_STRING, &t->o.generated, "FILE",
		  "where generated configuration was put" },
		{ "json", OPT_FLAG, &t->o.json, NULL,
		  "messages as JSON lines instead of text", .group = &forms },
		{ "json-into", OPT_STRING, &t->o.json_into, "FILE",
		  "the messages as JSON lines to a file as well" },
		{ "max-size", OPT_INT, &t->max_size, "BYTES",
		  "with -format=md: no more than that (default 65536)" },
		{ "no-color", OPT_FLAG, &t->o.no_color, NULL,
		  "no terminal colours", .group = &text_color_group },
		{ "op", OPT_STRING, &t->op, "OPERATION",
		  "what is shown of the stream (default stream: all)" },
		{ "out", OPT_STRING, &t->o.out, "FILE",
		  "save the plan there; - is standard output" },
		{ "raw-provisioners", OPT_FLAG, &t->o.raw_provisioners, NULL,
		  "the output of provisioners with its control characters" },
		{ "show-sensitive", OPT_FLAG, &t->o.show_sensitive, NULL,
		  "show sensitive values" },
		{ "summary", OPT_FLAG, &t->summary, NULL,
		  "the plan as a line a change", .group = &forms },
		{ "warnings", OPT_FLAG, &t->o.warnings, NULL,
		  "with -op=apply: the warnings of the plan, too" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-ui", "", table, NULL };
	int rc = front_options(&t->arena, &opts, argc, argv, &no_dir, &t->given,
			       &t->ds);

	if (rc >= 0)
		return rc;
	check_form(t);
	if (!check_op(t) && !text_color(t->color, &t->ds) &&
	    isatty(STDIN_FILENO))
		diag_error(
			&t->ds, NULL, "No input",
			"tf-ui shows a stream while it comes: tf-plan -C . | tf-ui");
	d->each_warning = !t->consolidate;
	diags_print(&t->ds, NULL);
	return diags_failed(&t->ds) ? 1 : -1;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .consolidate = true,
			  .max_size = FORM_MAX_SIZE };
	int rc;

	io_init();
	trace_begin("tf-ui");
	text_differences(diag_difference);
	/* Ctrl-C goes to the whole pipe: tf-ui stays to show how stages end. */
	signal(SIGINT, SIG_IGN);
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = live_run(&t.arena, &t.o, STDIN_FILENO);
	arena_release(&t.arena);
	return trace_end(rc);
}
