/* tf-state-workspace.c - workspace list, show, new, select, delete */
#include <stdio.h>

#include "base/visible.h"
#include "state/backend/workspaces.h"
#include "tf-state.h"
#include "base/didyoumean.h"
#include "ui/view.h"

/* Opens the backend even where a name was selected that is not allowed: so it
 * can be left. */
static int open_any(struct tool *t)
{
	const struct str name = t->st.o.workspace;
	int rc;

	if (!workspace_name_valid(name))
		t->st.o.workspace = STR("default");
	rc = state_access_open(&t->st);
	t->st.o.workspace = name;
	return rc;
}

static int list(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r = tool_options(t, "tf-state workspace list", "",
					  options, argc, argv);
	struct str_vec names = { 0 };

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 0, "Unexpected argument",
			  "This command takes no arguments.") ||
	    tool_begin(t) || open_any(t) ||
	    workspace_list(t->st.b, &names, &t->ds))
		return -1;
	state_say_workspaces(&t->v, &names, t->st.o.workspace);
	if (t->workdir.forced.n)
		state_say(&t->v,
			  "%sThe active workspace is being overridden "
			  "using the TF_WORKSPACE environment\n"
			  "variable%s",
			  t->json ? "" : "\n\n", t->json ? "" : ".\n");
	return 0;
}

static int show(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r;

	r = tool_options(t, "tf-state workspace show", "", options, argc, argv);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 0, "Unexpected argument",
			  "This command takes no arguments."))
		return -1;
	if (!workspace_name_valid(t->st.o.workspace))
		return diag_error(&t->ds, NULL,
				  "Error getting the current workspace",
				  "The workspace name \"%.*s\" is not allowed.",
				  STR_ARG(t->st.o.workspace));
	ui_say(&t->v,
	       arena_printf(&t->arena, "%.*s", STR_ARG(t->st.o.workspace)));
	return 0;
}

static int one_name(struct tool *t)
{
	return tool_operands(t, 1, "Invalid arguments list",
			     "Expected a single argument: NAME.");
}

static int make(struct tool *t, int argc, char **argv)
{
	struct str source = STR_NONE, name;
	const struct opt options[] = {
		{ "state", OPT_STRING, &source, "FILE",
		  "start with a copy of this state" },
		LOCK_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state workspace new", "NAME",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (one_name(t))
		return -1;
	name = t->rest.items[0];
	if (workspace_check_name(name, &t->ds))
		return -1;
	if (t->workdir.forced.n && !str_eq(t->workdir.forced, name))
		return diag_error(
			&t->ds, NULL,
			"The workspace is overridden using the TF_WORKSPACE environment variable",
			"Unset it, or set it to the new name, to make a workspace.");
	if (tool_begin(t) || workspace_make(&t->st, name))
		return -1;
	state_say_made(&t->v, name);
	return source.n ? workspace_fill(&t->st, name, source) : 0;
}

static int select_named(struct tool *t, struct str name, bool create)
{
	bool made;
	int rc = workspace_change(&t->st, name, create, &made);

	if (rc)
		return rc < 0 ? -1 : 0;
	if (made)
		state_say_made(&t->v, name);
	else
		state_say(&t->v, "Switched to workspace \"%.*s\".",
			  STR_ARG(name));
	return 0;
}

static int choose(struct tool *t, int argc, char **argv)
{
	bool create = false;
	const struct opt options[] = {
		{ "or-create", OPT_FLAG, &create, NULL,
		  "make the workspace if there is none" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state workspace select",
					  "NAME", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (one_name(t) || tool_begin(t))
		return -1;
	if (t->workdir.forced.n)
		return diag_error(
			&t->ds, NULL,
			"The selected workspace is "
			"overridden using the TF_WORKSPACE "
			"environment variable",
			"Change or unset it to select another workspace.");
	return open_any(t) ? -1 : select_named(t, t->rest.items[0], create);
}

static int delete_named(struct tool *t, struct str name, bool force)
{
	if (workspace_remove(&t->st, name, force))
		return -1;
	state_say(&t->v, "Deleted workspace \"%.*s\"!", STR_ARG(name));
	return 0;
}

static int delete (struct tool *t, int argc, char **argv)
{
	bool force = false;
	const struct opt options[] = {
		{ "force", OPT_FLAG, &force, NULL,
		  "even if it still manages objects" },
		LOCK_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state workspace delete",
					  "NAME", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (one_name(t) || tool_begin(t))
		return -1;
	return state_access_open(&t->st)
		       ? -1
		       : delete_named(t, t->rest.items[0], force);
}

int cmd_workspace(struct tool *t, int argc, char **argv)
{
	static const struct {
		const char *name;
		command_fn *run;
	} commands[] = {
		{ "list", list },     { "show", show },     { "new", make },
		{ "select", choose }, { "delete", delete },
	};
	struct str names[5], near;
	bool help;

	for (size_t i = 0; argc > 1 && i < 5; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(t, argc - 1, argv + 1);
	help = argc > 1 &&
	       (strcmp(argv[1], "-help") == 0 ||
		strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
	if (argc > 1 && !help) {
		for (size_t i = 0; i < 5; i++)
			names[i] = str_c(commands[i].name);
		near = didyoumean_hint(&t->arena, str_c(argv[1]), names, 5);
		fprintf(stderr,
			"tf-state: there is no command \"workspace %.*s\".%.*s\n",
			STR_ARG(visible_word(&t->arena, str_c(argv[1]))),
			STR_ARG(near));
	}
	fputs("Usage: tf-state workspace list|show|new|select|delete "
	      "[options] [NAME]\n",
	      help ? stdout : stderr);
	return help ? 0 : 1;
}
