/*
 * tf-apply - applies a plan (tf-apply(1))
 *
 * Reads a whole plan from standard input before it does anything; the work is
 * in lib/engine.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/workdir.h"
#include "engine/apply/apply.h"
#include "engine/change/events.h"
#include "install/providers/installed.h"
#include "state/backend/lock.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct str dir, lock_timeout, unsaved;
	struct str_vec given, vars, var_files;
	long parallelism, max_providers;
	bool json, show_sensitive, brief, seal;
	struct apply_steps stage;
	struct apply_options o;
	struct stream_out out;
	struct display display;
};

static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory" },
		{ "backup", OPT_STRING, &t->o.backend.backup_path, "FILE",
		  "where the previous state is kept; - keeps none" },
		{ "brief", OPT_FLAG, &t->brief, NULL,
		  "do not pass the plan on, but for its diagnostics" },
		{ "destroy", OPT_FLAG, &t->o.destroy, NULL,
		  "speak of destroying in the summary: the command is destroy" },
		{ "display", OPT_FLAG, &t->display.asked, NULL,
		  "text for people, also where stdout is no terminal",
		  .group = &display_group },
		{ "ignored", OPT_STRING, &t->stage.ignored, "NAMES",
		  "options of planning given with a saved plan",
		  .flags = OPT_HIDDEN },
		{ "journal-dir", OPT_STRING, &t->stage.journal_dir, "DIR",
		  "where the run of a test keeps its journal",
		  .flags = OPT_HIDDEN },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "lock", OPT_FLAG, &t->o.lock, NULL,
		  "hold the state's lock meanwhile (default true)" },
		{ "lock-timeout", OPT_STRING, &t->lock_timeout, "DURATION",
		  "how long to wait for the lock (default 0s)" },
		{ "max-providers", OPT_INT, &t->max_providers, "N",
		  "provider processes at a time (default: 50)" },
		{ "parallelism", OPT_INT, &t->parallelism, "N",
		  "operations at a time (default 10)" },
		{ "records", OPT_FLAG, &t->display.refused, NULL,
		  "records, also where stdout is a terminal",
		  .group = &display_group },
		{ "refreshed", OPT_FLAG, &t->o.refreshed, NULL,
		  "only store the state as planning has read it" },
		{ "saved", OPT_FLAG, &t->stage.saved, NULL,
		  "the plan was saved: say so if it has failed" },
		{ "saved-name", OPT_STRING, &t->stage.name, "FILE",
		  "the file that it was saved in, for messages",
		  .flags = OPT_HIDDEN },
		{ "seal", OPT_FLAG, &t->seal, NULL,
		  "find out what was edited (default true)" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact on a terminal; values of sensitive outputs" },
		{ "state", OPT_STRING, &t->o.backend.state_path, "FILE",
		  "state file (local backend)" },
		{ "state-out", OPT_STRING, &t->o.backend.state_out, "FILE",
		  "write the state there instead" },
		{ "suppress-forget-errors", OPT_FLAG,
		  &t->o.suppress_forget_errors, NULL,
		  "destroying may leave forgotten objects behind" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "set an ephemeral variable again" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "set variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	struct input_arg *args;
	const struct opts o = { "tf-apply", "", table, NULL };

	t->o.original_dir = workdir_before(&t->arena);
	t->stage.nargs = inputs_args(&t->arena, argc, argv, &args);
	t->stage.args = args;
	return front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			     &t->ds);
}

/* Where nobody behind the stage shows it. */
static void print_unsaved(const struct tool *t)
{
	if (t->unsaved.n && !t->json && !t->display.running)
		fprintf(stderr, "%.*s\n", STR_ARG(t->unsaved));
}

static int apply(struct tool *t)
{
	struct apply_options *o = &t->o;

	if (lock_timeout_option(t->lock_timeout, &o->lock_timeout_ms, &t->ds))
		return -1;
	o->unsaved = &t->unsaved;
	o->lock_token = lock_token();
	o->providers = installed_source(&t->arena, &t->workdir,
					t->stage.in.config->default_host);
	if (run_parallelism(t->parallelism, &o->parallelism, &t->ds) ||
	    installed_limit(o->providers, t->max_providers, &t->ds))
		return -1;
	return apply_steps_run(&t->stage, o);
}

/* Chooses the display: a plan in a file has been shown before. */
static const char *shown_as(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) ? "apply"
								    : "stream";
}

static int run(struct tool *t)
{
	struct diags early = DIAGS_INIT(&t->arena);
	bool failed;
	int rc;

	stream_out_init(&t->out,
			display_start(&t->arena, &t->display, t->json,
				      shown_as(), t->show_sensitive, &t->ds),
			t->show_sensitive);
	seal_all(t->out.seal);
	t->out.unedited = !t->seal;
	t->out.brief = t->brief;
	t->stage.refreshed = t->o.refreshed;
	workdir_open(&t->arena, &t->workdir);
	rc = apply_steps_read(&t->stage);
	t->out.unsealed = true; /* no stage reads tf-apply's records */
	stream_begin(&t->out, "tf-apply", &t->given);
	/* tf-plan has warned of it unless the plan was saved */
	if (t->stage.saved)
		installed_warn_overrides(&t->arena, &early);
	front_early(&t->out, &early, t->json, &t->display);
	if (!rc)
		rc = apply(t);
	print_unsaved(t);
	failed = rc || diags_failed(&t->ds);
	/* A reader that went away is no failure of ours. */
	return front_end(&t->out, "tf-apply", &t->ds,
			 apply_steps_sources(&t->stage), t->json, &t->display,
			 failed);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .seal = true,
			  .o = { .lock = true },
			  .max_providers = NO_LIMIT_GIVEN };
	int rc;

	io_init();
	trace_begin("tf-apply");
	text_differences(diag_difference);
	stop_hold();
	signal(SIGPIPE, SIG_IGN);
	t.ds.arena = &t.arena;
	t.stage.arena = &t.arena;
	t.stage.ds = &t.ds;
	t.stage.out = &t.out;
	t.stage.workdir = &t.workdir;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	apply_input_release(&t.stage.in);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return trace_end(rc);
}
