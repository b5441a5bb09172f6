/* tf-state-workspace.c - workspace list, show, new, select, delete */
#include "tf-state.h"
#include "base/product.h"

#include <errno.h>
#include <stdio.h>

static void list_json(struct tool *t, const struct str_vec *names)
{
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, "info", STR("list of workspaces"));

	jw_member_str(&w, "current_workspace", t->o.workspace);
	jw_member_str(&w, "type", STR("workspace_list"));
	jw_key(&w, "workspaces");
	jw_array(&w);
	for (size_t i = 0; i < names->len; i++)
		jw_str(&w, names->items[i]);
	jw_array_end(&w);
	ui_message_end(&t->v, &line, &w);
}

static int list(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r = tool_options(t, "tf-state workspace list", "",
					  options, argc, argv);
	struct str_vec names = { 0 };
	struct str forced;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 0, "Unexpected argument",
			  "This command takes no arguments.") ||
	    tool_begin(t) || tool_open(t) ||
	    workspace_list(t->b, &names, &t->ds))
		return -1;
	if (t->json)
		list_json(t, &names);
	for (size_t i = 0; !t->json && i < names.len; i++)
		tool_say(t, "%s %.*s",
			 str_eq(names.items[i], t->o.workspace) ? "*" : " ",
			 STR_ARG(names.items[i]));
	if (!t->json)
		ui_say(&t->v, "");
	if (workspace_overridden(&forced))
		tool_say(t, "%sThe active workspace is being overridden using "
			    "the TF_WORKSPACE environment\nvariable%s",
			 t->json ? "" : "\n\n", t->json ? "" : ".\n");
	return 0;
}

static int show(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r;

	r = tool_options(t, "tf-state workspace show", "", options, argc,
			 argv);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 0, "Unexpected argument",
			  "This command takes no arguments."))
		return -1;
	if (!workspace_name_valid(t->o.workspace))
		return diag_error(&t->ds, NULL,
				  "Error getting the current workspace",
				  "The workspace name \"%.*s\" is not allowed.",
				  STR_ARG(t->o.workspace));
	ui_say(&t->v, arena_printf(&t->arena, "%.*s",
				   STR_ARG(t->o.workspace)));
	return 0;
}

static void say_created(struct tool *t, struct str name)
{
	tool_say(t, "Created and switched to workspace \"%.*s\"%s"
		    "You're now on a new, empty workspace. Workspaces isolate "
		    "their state,\nso if you run \"" COMMAND " plan\" " PRODUCT
		    " will not see any existing state\nfor this configuration.",
		 STR_ARG(name), t->json ? ". " : "!\n\n");
}

static int one_name(struct tool *t)
{
	return tool_operands(t, 1, "Invalid arguments list",
			     "Expected a single argument: NAME.");
}

static int invalid_name(struct tool *t, struct str name)
{
	return diag_error(&t->ds, NULL, "Invalid workspace name",
			  "The workspace name \"%.*s\" is not allowed: it may "
			  "hold only characters that a URL shows as they are, "
			  "and no path separators.", STR_ARG(name));
}

/* The state that a new workspace starts with. */
static int copy_state(struct tool *t, struct str name)
{
	struct buf text = BUF_INIT;
	struct state *s = NULL;
	int rc = -1;

	if (io_read_file(t->state.p, &text, 0)) {
		diag_error(&t->ds, NULL, "Error opening the given state",
			   "Cannot read %.*s: %s.", STR_ARG(t->state),
			   strerror(errno));
		return -1;
	}
	s = state_parse(&t->arena, buf_view(&text), t->state.p, &t->ds);
	t->state = STR_NONE;
	backend_close(t->b);
	t->b = NULL;
	t->o.workspace = name;
	if (s && !tool_open(t) && !tool_lock(t, t->b, "workspace-new") &&
	    backend_read(t->b, &t->ds)) {
		s->lineage = STR_NONE; /* a state of its own */
		rc = backend_write(t->b, s, &t->ds);
	}
	buf_release(&text);
	return rc;
}

static int make(struct tool *t, int argc, char **argv)
{
	struct str source = STR_NONE, name, forced;
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
	if (!workspace_name_valid(name))
		return invalid_name(t, name);
	if (workspace_overridden(&forced) && !str_eq(forced, name))
		return diag_error(&t->ds, NULL, "The workspace is overridden "
				  "using the TF_WORKSPACE environment variable",
				  "Unset it, or set it to the new name, to make "
				  "a workspace.");
	if (tool_begin(t) || tool_open(t) || workspace_new(t->b, name, &t->ds) ||
	    workspace_select(t->o.data_dir, name, &t->ds))
		return -1;
	say_created(t, name);
	t->state = source;
	return source.n ? copy_state(t, name) : 0;
}

static int is_known(struct tool *t, struct str name, bool *known)
{
	struct str_vec names = { 0 };

	*known = false;
	if (workspace_list(t->b, &names, &t->ds))
		return -1;
	for (size_t i = 0; i < names.len; i++)
		*known = *known || str_eq(names.items[i], name);
	return 0;
}

static int missing(struct tool *t, struct str name)
{
	return diag_error(&t->ds, NULL,
			  arena_printf(&t->arena,
				       "Workspace \"%.*s\" doesn't exist",
				       STR_ARG(name)),
			  "Make it with \"" COMMAND " workspace new\", or "
			  "select it with -or-create.");
}

static int select_named(struct tool *t, struct str name, bool create)
{
	bool known;

	if (!workspace_name_valid(name))
		return invalid_name(t, name);
	if (str_eq(name, t->o.workspace))
		return 0;
	if (is_known(t, name, &known))
		return -1;
	if (!known && !create)
		return missing(t, name);
	if (!known && workspace_new(t->b, name, &t->ds))
		return -1;
	if (workspace_select(t->o.data_dir, name, &t->ds))
		return -1;
	if (known)
		tool_say(t, "Switched to workspace \"%.*s\".",
			 STR_ARG(name));
	else
		say_created(t, name);
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
	struct str forced;
	enum opts_result r = tool_options(t, "tf-state workspace select",
					  "NAME", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (one_name(t) || tool_begin(t))
		return -1;
	if (workspace_overridden(&forced))
		return diag_error(&t->ds, NULL, "The selected workspace is "
				  "overridden using the TF_WORKSPACE "
				  "environment variable",
				  "Change or unset it to select another "
				  "workspace.");
	return tool_open(t) ? -1 :
			      select_named(t, t->rest.items[0], create);
}

static int delete_named(struct tool *t, struct str name, bool force)
{
	uint64_t ms = 0;
	bool known;

	if (is_known(t, name, &known))
		return -1;
	if (!known)
		return missing(t, name);
	if (str_eq(name, t->o.workspace))
		return diag_error(&t->ds, NULL,
				  arena_printf(&t->arena,
					       "Workspace \"%.*s\" is your "
					       "active workspace",
					       STR_ARG(name)),
				  "Switch to another workspace first.");
	if (t->timeout.n && lock_timeout_parse(t->timeout, &ms))
		return diag_error(&t->ds, NULL,
				  "Failed to parse command-line flags",
				  "-lock-timeout is a duration such as 10s.");
	if (workspace_delete(t->b, name, force, t->lock, ms, &t->ds))
		return -1;
	tool_say(t, "Deleted workspace \"%.*s\"!", STR_ARG(name));
	return 0;
}

static int delete(struct tool *t, int argc, char **argv)
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
	return tool_open(t) ? -1 : delete_named(t, t->rest.items[0], force);
}

int cmd_workspace(struct tool *t, int argc, char **argv)
{
	static const struct {
		const char *name;
		command_fn *run;
	} commands[] = {
		{ "list", list }, { "show", show }, { "new", make },
		{ "select", choose }, { "delete", delete },
	};
	bool help;

	for (size_t i = 0; argc > 1 && i < 5; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(t, argc - 1, argv + 1);
	help = argc > 1 && (strcmp(argv[1], "-help") == 0 ||
			    strcmp(argv[1], "--help") == 0 ||
			    strcmp(argv[1], "-h") == 0);
	fputs("usage: tf-state workspace list|show|new|select|delete "
	      "[options] [NAME]\n", help ? stdout : stderr);
	return help ? 0 : 1;
}
