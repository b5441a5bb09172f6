/* tf-state-taint.c - taint, untaint */
#include "tf-state.h"
#include "ui/view.h"

static int taint(struct tool *t, bool tainted, bool allow_missing)
{
	struct str address = t->rest.items[0];
	int rc = state_mark(&t->st, address, tainted, allow_missing);

	if (rc)
		return rc < 0 ? -1 : 0;
	ui_say(&t->v,
	       arena_printf(&t->arena, "Resource instance %.*s has been %s.",
			    STR_ARG(address),
			    tainted ? "marked as tainted"
				    : "successfully untainted"));
	return 0;
}

static int taint_command(struct tool *t, int argc, char **argv, bool tainted)
{
	bool allow_missing = false;
	const struct opt options[] = {
		{ "allow-missing", OPT_FLAG, &allow_missing, NULL,
		  "a missing instance is no error" },
		STATE_OPTION(t),
		STATE_OUT_OPTIONS(t),
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r =
		tool_options(t, tainted ? "tf-state taint" : "tf-state untaint",
			     "ADDRESS", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid arguments",
			  "Exactly one address is expected.") ||
	    tool_begin(t))
		return -1;
	return taint(t, tainted, allow_missing);
}

int cmd_taint(struct tool *t, int argc, char **argv)
{
	return taint_command(t, argc, argv, true);
}

int cmd_untaint(struct tool *t, int argc, char **argv)
{
	return taint_command(t, argc, argv, false);
}
