/*
 * runner.c - runs the pipelines that the shell part of tf names (lib/driver)
 *
 * usage: runner [options] -- STAGE… [::: STAGE…] ::: DISPLAY
 *
 * With -operation the state is locked meanwhile, and the stages get the token
 * of the lock.
 */
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/opts.h"
#include "base/workdir.h"
#include "driver/runner.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "state/backend/backend_config.h"
#include "state/backend/workspaces.h"
#include "trace/trace.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct runner r;
	struct str command;   /* as it was typed, "tf plan", for traces */
	struct str operation; /* what the lock is taken for; empty: none */
	struct state_access st;
	bool json;
	struct str into_path;
	struct out out, err, into_out;
	struct view v, into;
};

/* Before each message: tells the version, and opens -messages-into, behind what
 * the stages have written. */
static void speak(struct tool *t)
{
	if (t->into_path.n && !t->v.into) {
		t->into = t->v;
		if (!ui_open_into(&t->into, &t->into_out, t->into_path,
				  t->r.begun, &t->ds))
			t->v.into = &t->into;
	}
	if (!t->r.begun)
		ui_version(&t->v);
	t->r.begun = true;
}

static void waiting(void *data)
{
	struct tool *t = data;

	speak(t);
	ui_say_waiting(&t->v);
}

/* Takes the lock.  The stages will find other errors. */
static int lock(struct tool *t)
{
	struct state_access *st = &t->st;

	st->arena = &t->arena;
	st->ds = &t->ds;
	st->lock = true;
	st->o.workdir = &t->workdir;
	st->o.workspace = t->workdir.workspace;
	st->o.waiting = waiting;
	st->o.waiting_data = t;
	if (workspace_check(&t->workdir, &t->ds) ||
	    backend_saved(&t->arena, &st->o, &t->ds) || state_access_open(st) ||
	    state_access_lock(st, arena_strndup(&t->arena, t->operation.p,
						t->operation.n)) ||
	    backend_hand_on(st->b, &t->ds))
		return -1;
	lock_token_set(&t->arena, backend_lock_token(st->b));
	return 0;
}

static int run_pipelines(struct tool *t)
{
	int rc;

	runner_listen();
	rc = runner_run(&t->r);
	/* From here on only the release of the lock is told. */
	t->r.begun = true;
	if (t->v.into)
		out_release(&t->into_out);
	t->v.into = NULL; /* to be opened behind what the stages have written */
	return rc;
}

static int run(struct tool *t)
{
	const int rc = t->operation.n && lock(t) ? -1 : run_pipelines(t);

	return state_access_close(&t->st) ? -1 : rc;
}

static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = {
		{ "ask", OPT_FLAG, &t->r.ask, NULL,
		  "ask for variables that have no value" },
		{ "command", OPT_STRING, &t->command, "NAME",
		  "whose pipelines they are" },
		{ "confirm", OPT_STRING, &t->r.confirm, "MODE",
		  "ask before the second section gets the go-ahead" },
		{ "ignore-remote-version", OPT_FLAG, &t->st.o.ignore_remote,
		  NULL, "lock a workspace whose version differs" },
		{ "lock-timeout", OPT_STRING, &t->st.timeout, "DURATION",
		  "how long to wait for the lock" },
		{ "messages", OPT_FLAG, &t->json, NULL,
		  "-json of the command" },
		{ "messages-into", OPT_STRING, &t->into_path, "FILE",
		  "-json-into of the command" },
		{ "operation", OPT_STRING, &t->operation, "NAME",
		  "lock the state meanwhile, for this" },
		{ "quiet", OPT_FLAG, &t->r.quiet, NULL,
		  "what the first stage says counts only if it fails" },
		{ "state", OPT_STRING, &t->st.o.state_path, "FILE",
		  "the state file" },
		{ "terminal", OPT_FLAG, &t->r.terminal, NULL,
		  "ask at the terminal, whatever standard input is" },
		{ NULL, OPT_FLAG, NULL, NULL, NULL },
	};
	const struct opts o = { "runner", "-- STAGES", options, NULL };
	const char *typed = getenv("TFPIPE_TYPED");
	struct str_vec rest = { 0 };
	int n = 1;

	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	typed = typed ? arena_strndup(&t->arena, typed, strlen(typed)) : NULL;
	if (opts_parse(&t->arena, &o, n, argv, &rest, NULL, &t->ds) != OPTS_RUN)
		return -1;
	if (typed) /* it is the stage that was typed */
		setenv("TFPIPE_TYPED", typed, 1);
	trace_begin(arena_strndup(&t->arena, t->command.p, t->command.n));
	return runner_words(&t->r, argv + n + (n < argc));
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT };
	int rc;

	io_init();
	t.ds = (struct diags)DIAGS_INIT(&t.arena);
	t.r.arena = &t.arena;
	t.r.ds = &t.ds;
	t.r.workdir = &t.workdir;
	workdir_open(&t.arena, &t.workdir);
	rc = read_options(&t, argc, argv);
	ui_standard(&t.v, &t.arena, &t.out, &t.err, t.json, false);
	t.v.data = true;
	if (rc == 0)
		rc = run(&t);
	if (t.ds.len)
		speak(&t);
	ui_diags(&t.v, &t.ds, NULL);
	rc = rc < 0 || diags_failed(&t.ds) ? 1 : rc;
	out_release(&t.out);
	out_release(&t.err);
	if (t.v.into)
		out_release(&t.into_out);
	arena_release(&t.arena);
	return trace_end(rc);
}
