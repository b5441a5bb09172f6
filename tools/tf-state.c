/*
 * tf-state - everything about state: look, move, remove, taint, lock,
 * workspaces (tf-state(1))
 */
#include <stdio.h>
#include <unistd.h>

#include "state/backend/backend_config.h"
#include "state/backend/lock.h"
#include "state/backend/workspaces.h"
#include "tf-state.h"
#include "base/didyoumean.h"
#include "engine/stage/stage.h"
#include "base/visible.h"
#include "base/workdir.h"
#include "trace/trace.h"
#include "ui/view.h"

static const struct {
	const char *name;
	command_fn *run;
	bool data; /* what it prints is data: see struct view */
	const char *help;
} commands[] = {
	{ "list", cmd_list, true, "list resource instances" },
	{ "ls", cmd_list, true, NULL },
	{ "show", cmd_show, true, "show one instance" },
	{ "mv", cmd_mv, false, "move to another address or state" },
	{ "move", cmd_mv, false, NULL },
	{ "rm", cmd_rm, false, "forget instances" },
	{ "remove", cmd_rm, false, NULL },
	{ "replace-provider", cmd_replace_provider, false,
	  "name another provider" },
	{ "taint", cmd_taint, false, "mark an instance for replacement" },
	{ "untaint", cmd_untaint, false, "take the mark away" },
	{ "pull", cmd_pull, true, "print the state" },
	{ "push", cmd_push, false, "store a state" },
	{ "recover", cmd_recover, false,
	  "decide about a journal that is damaged" },
	{ "settle", cmd_settle, false,
	  "say that the outcome of an operation is known" },
	{ "lock", cmd_lock, false, "hold the lock until standard input ends" },
	{ "with-lock", cmd_with_lock, true,
	  "hold the lock while a command runs" },
	{ "force-unlock", cmd_force_unlock, false, "release a stuck lock" },
	{ "unlock", cmd_force_unlock, false, NULL },
	{ "seal-plan", cmd_seal_plan, true,
	  "encrypt a plan as the configuration asks for" },
	{ "open-plan", cmd_open_plan, true, "decrypt a saved plan" },
	{ "names", cmd_names, true, "list what could be typed, for shells" },
	{ "workspace", cmd_workspace, true,
	  "list, show, new, select, delete workspaces" },
};

enum { NCOMMANDS = sizeof(commands) / sizeof(*commands) };

static void usage(FILE *to)
{
	fputs("Usage: tf-state COMMAND [options] [arguments]\n", to);
	for (int i = 0; i < NCOMMANDS; i++)
		if (commands[i].help)
			fprintf(to, "  %-18s %s\n", commands[i].name,
				commands[i].help);
	fputs("tf-state COMMAND -help shows a command's options.\n", to);
}

static void no_such_command(struct arena *a, const char *given)
{
	struct str names[NCOMMANDS], near;

	for (int i = 0; i < NCOMMANDS; i++)
		names[i] = str_c(commands[i].name);
	near = didyoumean_hint(a, str_c(given), names, NCOMMANDS);
	fprintf(stderr, "tf-state: there is no command \"%.*s\".%.*s\n",
		STR_ARG(visible_word(a, str_c(given))), STR_ARG(near));
	usage(stderr);
}

/* Before each message: tells the version if nothing told it. */
static void speak(struct tool *t)
{
	if (t->begun)
		return;
	ui_version(&t->v);
	t->begun = true;
}

static void waiting(void *data)
{
	struct tool *t = data;

	speak(t);
	ui_say_waiting(&t->v);
}

enum opts_result tool_options(struct tool *t, const char *tool,
			      const char *synopsis, const struct opt *options,
			      int argc, char **argv)
{
	struct opts o = { tool, synopsis, options, NULL };
	enum opts_result r =
		opts_parse(&t->arena, &o, argc, argv, &t->rest, NULL, &t->ds);
	uint64_t ms;

	t->v.style = text_style_for(STDOUT_FILENO, t->no_color);
	t->v.err_style = text_style_for(STDERR_FILENO, t->no_color);
	t->v.json = t->json;
	ui_for_people(&t->v);
	if (t->json && r != OPTS_DONE)
		speak(t);
	if (r != OPTS_RUN)
		return r;
	if (lock_timeout_option(t->st.timeout, &ms, &t->ds) ||
	    opts_enter(t->dir, &t->ds))
		return OPTS_BAD;
	workdir_open(&t->arena, &t->workdir);
	t->st.o.workdir = &t->workdir;
	t->st.o.workspace = t->workdir.workspace;
	t->st.o.waiting = waiting;
	t->st.o.waiting_data = t;
	t->argc = argc;
	t->argv = argv;
	return OPTS_RUN;
}

int tool_begin(struct tool *t)
{
	return workspace_check(&t->workdir, &t->ds) ||
			       current_check_dir(&t->arena, &t->workdir,
						 t->argc, t->argv,
						 t->st.o.state_path.n != 0,
						 &t->config,
						 &t->st.o.encryption, &t->ds) ||
			       backend_saved(&t->arena, &t->st.o, &t->ds)
		       ? -1
		       : 0;
}

int tool_operands(struct tool *t, size_t n, const char *summary,
		  const char *detail)
{
	if (t->rest.len == n)
		return 0;
	return diag_error(&t->ds, NULL, summary, "%s", detail);
}

int tool_confirm(const char *query)
{
	char line[64];

	printf("%s\n  Only 'yes' will be accepted to continue.\n\n"
	       "  Enter a value: ",
	       query);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		line[0] = '\0';
	putchar('\n');
	fflush(stdout);
	/* without a newline nobody has confirmed it */
	return feof(stdin) || ferror(stdin) ? -1 : strcmp(line, "yes\n") == 0;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .st = { .lock = true } };
	int rc = 1;

	io_init();
	t.ds = (struct diags)DIAGS_INIT(&t.arena);
	t.st.arena = &t.arena;
	t.st.ds = &t.ds;
	t.out = (struct out)OUT_INIT(STDOUT_FILENO);
	t.err = (struct out)OUT_INIT(STDERR_FILENO);
	t.v = (struct view){ .arena = &t.arena, .out = &t.out, .err = &t.err };
	if (argc < 2) {
		usage(stderr);
		return 1;
	}
	if (strcmp(argv[1], "-help") == 0 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0) {
		usage(stdout);
		return 0;
	}
	if (strcmp(argv[1], "-version") == 0 ||
	    strcmp(argv[1], "--version") == 0) {
		printf("tf-state (tfpipe) %s\n", PACKAGE_VERSION);
		return 0;
	}
	for (int i = 0; i < NCOMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		t.v.data = commands[i].data;
		trace_begin("tf-state");
		rc = commands[i].run(&t, argc - 1, argv + 1);
		if (state_access_close(&t.st))
			rc = -1;
		if (fflush(stdout) || ferror(stdout) ||
		    diags_written(&t.arena, &t.out))
			rc = 1;
		if (t.ds.len)
			speak(&t);
		ui_diags(&t.v, &t.ds, t.config ? &t.config->sources : NULL);
		rc = rc < 0 || diags_failed(&t.ds) ? 1 : rc;
		out_release(&t.out);
		out_release(&t.err);
		arena_release(&t.arena);
		return trace_end(rc);
	}
	no_such_command(&t.arena, argv[1]);
	arena_release(&t.arena);
	return rc;
}
