/*
 * tf-apply - do what a plan says (tf-apply(1))
 *
 * Reads a whole plan from standard input before it does anything; what it does
 * is in lib/engine.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/apply/apply.h"
#include "engine/change/stop.h"
#include "engine/stage/current.h"
#include "install/providers/installed.h"
#include "state/backend/encryption.h"
#include "ui/display.h"
#include "ui/front.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str dir, state, state_out, backup, lock_timeout, ignored;
	struct str_vec given, vars, var_files;
	struct input_arg *args;
	size_t nargs;
	long parallelism, max_providers;
	bool json, lock, show_sensitive, suppress_forget_errors;
	struct str cwd;
	struct apply_input in;
	struct config *asking; /* of the working directory: for encryption */
	struct stream_info info;
	struct stream_out out;
	struct display display;
	bool brief, destroy, refreshed, saved;
};

static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory" },
		{ "backup", OPT_STRING, &t->backup, "FILE",
		  "where the previous state is kept; - keeps none" },
		{ "brief", OPT_FLAG, &t->brief, NULL,
		  "do not pass the plan on, but for its diagnostics" },
		{ "destroy", OPT_FLAG, &t->destroy, NULL,
		  "speak of destroying in the summary: the command is destroy" },
		{ "display", OPT_FLAG, &t->display.asked, NULL,
		  "text for people, also where stdout is no terminal",
		  .group = &display_group },
		{ "ignored", OPT_STRING, &t->ignored, "NAMES",
		  "options of planning given with a saved plan",
		  .flags = OPT_HIDDEN },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "lock", OPT_FLAG, &t->lock, NULL,
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
		{ "refreshed", OPT_FLAG, &t->refreshed, NULL,
		  "only store the state as planning has read it" },
		{ "saved", OPT_FLAG, &t->saved, NULL,
		  "the plan was saved: say so if it has failed" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal" },
		{ "state", OPT_STRING, &t->state, "FILE",
		  "state file (local backend)" },
		{ "state-out", OPT_STRING, &t->state_out, "FILE",
		  "write the state there instead" },
		{ "suppress-forget-errors", OPT_FLAG,
		  &t->suppress_forget_errors, NULL,
		  "destroying may leave forgotten objects behind" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "set an ephemeral variable again" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "set variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-apply", "", table, NULL };

	t->cwd = inputs_original_dir(&t->arena);
	t->nargs = inputs_args(&t->arena, argc, argv, &t->args);
	return front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			     &t->ds);
}

static int backend_settings(struct tool *t, struct backend_options *o)
{
	o->data_dir = str_c(getenv("TF_DATA_DIR"));
	if (!o->data_dir.n)
		o->data_dir = STR(".terraform");
	o->state_path = t->state;
	o->state_out = t->state_out;
	o->backup_path = t->backup;
	return backend_saved(&t->arena, o, &t->ds);
}

/* The plan may be older than what the configuration asks for now. */
static int check_encryption(struct tool *t)
{
	struct config *here = NULL;

	if (encryption_refuse(t->in.config, &t->ds))
		return -1;
	if (!current_check_dir(&t->arena, 0, NULL, true, &here, &t->ds))
		return 0;
	t->asking = here;
	return -1;
}

static int apply(struct tool *t)
{
	struct inputs_options io = { .dir = STR("."), .environ = environ,
				     .args = t->args, .nargs = t->nargs,
				     .sources = &t->in.config->sources };
	struct apply_options o = {
		.lock = t->lock,
		.lock_token = str_c(getenv("TFPIPE_LOCK_TOKEN")),
		.parallelism = t->parallelism > 0 ? (unsigned)t->parallelism
						  : 10,
		.suppress_forget_errors = t->suppress_forget_errors,
		.destroy = t->destroy,
		.refreshed = t->refreshed,
		.dir = t->in.config->root->dir,
		.original_dir = t->cwd,
		.providers = installed_source(
			&t->arena, t->in.config->default_host),
	};

	if (lock_timeout_option(t->lock_timeout, &o.lock_timeout_ms,
				&t->ds))
		return -1;
	if (installed_limit(o.providers, t->max_providers, &t->ds) ||
	    check_encryption(t) || backend_settings(t, &o.backend) ||
	    inputs_collect(&t->arena, &io, &o.inputs, &t->ds))
		return -1;
	return apply_run(&t->arena, &t->in, &o, &t->out, &t->ds);
}

/* 1: what came before has failed, and said why. */
static int read_plan(struct tool *t)
{
	apply_input_init(&t->in, &t->arena);
	if (isatty(STDIN_FILENO))
		return diag_error(&t->ds, NULL, "Not a plan",
				  "tf-apply reads a plan from standard input: "
				  "tf-plan | tf-apply, or tf-apply < FILE.");
	if (stream_read(&t->arena, STDIN_FILENO, &t->info, &t->out,
			apply_read, &t->in, &t->ds))
		return -1;
	t->out.started = t->info.present;
	if (t->info.failed && t->saved)
		return diag_error(&t->ds, NULL, "Cannot apply incomplete plan",
				  "There were errors when this plan was made: "
				  "it does not hold all that is to be done.");
	if (t->info.failed)
		return 1;
	if (t->ignored.n)
		diag_warning(&t->ds, NULL, "Planning options are ignored",
			     "A saved plan is applied as it was made. No "
			     "effect: %.*s.", STR_ARG(t->ignored));
	if (stream_has_stage(&t->info, "tf-apply"))
		return diag_error(&t->ds, NULL, "Plan already applied",
				  "The input has been through tf-apply once.");
	if (edits_check_apply(&t->arena, &t->out, &t->info, &t->in.edits,
			      &t->ds))
		return -1;
	return apply_read_finish(&t->in, &t->ds);
}

/* Who applies a file has seen the plan. */
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

	stream_out_init(&t->out, display_start(&t->arena, &t->display, t->json,
					       shown_as(), t->show_sensitive,
					       &t->ds),
			t->show_sensitive);
	seal_all(t->out.seal);
	t->out.brief = t->brief;
	rc = read_plan(t);
	t->out.unsealed = true; /* nobody goes by what tf-apply writes */
	stream_begin(&t->out, "tf-apply", &t->given);
	/* tf-plan has said it of what is applied at once */
	if (t->saved)
		installed_warn_overrides(&t->arena, &early);
	front_early(&t->out, &early, t->json, &t->display);
	if (!rc)
		rc = apply(t);
	failed = rc || diags_failed(&t->ds);
	/* A reader that went away is no failure of ours. */
	return front_end(&t->out, "tf-apply", &t->ds,
			 t->asking ? &t->asking->sources
				   : &t->in.config->sources,
			 t->json, &t->display, failed);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .lock = true,
			  .max_providers = NO_LIMIT_GIVEN };
	int rc;

	io_init();
	stop_hold();
	signal(SIGPIPE, SIG_IGN);
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	apply_input_release(&t.in);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return rc;
}
