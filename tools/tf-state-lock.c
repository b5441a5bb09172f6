/*
 * tf-state-lock.c - lock, with-lock, force-unlock
 *
 * A lock on a local file ends with the process that holds it, so a shell keeps
 * one by running something under with-lock, or by keeping `tf-state lock` as a
 * co-process whose input it closes.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/product.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "state/backend/backend_config.h"
#include "state/backend/workspaces.h"
#include "tf-state.h"
#include "driver/runner.h"
#include "ui/view.h"

static void print_id(struct tool *t)
{
	struct str id = backend_lock_token(t->st.b);

	printf("%.*s\n", STR_ARG(id));
	fflush(stdout);
}

static void note_signal(int sig)
{
	(void)sig;
}

/* Waits until the input ends or a signal asks to stop. */
static void wait_for_end(void)
{
	struct sigaction sa = { .sa_handler = note_signal };
	char junk[256];

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	while (read(STDIN_FILENO, junk, sizeof(junk)) > 0)
		;
}

int cmd_lock(struct tool *t, int argc, char **argv)
{
	struct str operation = STR("lock");
	const struct opt options[] = {
		STATE_OPTION(t),
		STATE_OUT_OPTIONS(t),
		{ "operation", OPT_STRING, &operation, "NAME",
		  "what the lock is taken for" },
		LOCK_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r =
		tool_options(t, "tf-state lock", "", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 0, "Invalid number of arguments",
			  "No arguments expected") ||
	    tool_begin(t))
		return -1;
	lock_token_set(&t->arena, STR_NONE);
	t->st.lock = true;
	if (state_access_open(&t->st) || state_access_lock(&t->st, operation.p))
		return -1;
	print_id(t);
	wait_for_end();
	return 0;
}

static int run_command(struct tool *t, char **argv)
{
	int status = attend(argv);

	if (status < 0)
		diag_error(&t->ds, NULL, "Failed to start the command",
			   "Cannot run %s: %s.", argv[0], strerror(errno));
	return status;
}

int cmd_with_lock(struct tool *t, int argc, char **argv)
{
	struct str operation = STR("with-lock");
	const struct opt options[] = {
		REMOTE_OPTIONS(t),
		STATE_OPTION(t),
		STATE_OUT_OPTIONS(t),
		{ "operation", OPT_STRING, &operation, "NAME",
		  "what the lock is taken for" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r;
	int n = 1;

	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	r = tool_options(t, "tf-state with-lock", "-- COMMAND [ARGUMENT...]",
			 options, n, argv);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (t->rest.len || n + 1 >= argc)
		return diag_error(&t->ds, NULL, "Invalid number of arguments",
				  "A command is expected behind \"--\".");
	/* the command will find other errors */
	if (workspace_check(&t->workdir, &t->ds) ||
	    backend_saved(&t->arena, &t->st.o, &t->ds) ||
	    state_access_open(&t->st) || state_access_lock(&t->st, operation.p))
		return -1;
	if (backend_hand_on(t->st.b, &t->ds))
		return -1;
	lock_token_set(&t->arena, backend_lock_token(t->st.b));
	return run_command(t, argv + n + 1);
}

int cmd_force_unlock(struct tool *t, int argc, char **argv)
{
	bool force = false;
	const struct opt options[] = {
		{ "force", OPT_FLAG, &force, NULL, "do not ask" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state force-unlock", "LOCK_ID",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Wrong number of arguments",
			  "Expected a single argument: LOCK_ID") ||
	    tool_begin(t) || state_access_open(&t->st))
		return -1;
	if (backend_force_unlock(t->st.b, t->rest.items[0], force, &t->ds))
		return -1;
	ui_say(&t->v, arena_printf(&t->arena,
				   "%s state has been successfully unlocked!",
				   product_name()));
	return 0;
}
