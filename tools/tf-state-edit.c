/* tf-state-edit.c - mv, rm, replace-provider */
#include "base/product.h"
#include "state/edit/move.h"
#include "tf-state.h"

static int move(struct tool *t, struct state_access *to, bool dry_run)
{
	struct state_moved_vec moved = { 0 };
	int rc = state_move(&t->arena, t->st.s, to->s, t->rest.items[0],
			    t->rest.items[1], dry_run, &moved, &t->ds);

	state_say_moved(&t->v, &moved, dry_run);
	if (rc || dry_run)
		return rc;
	if (state_store_moved(&t->st, to))
		return -1;
	state_say(&t->v, "Successfully moved %zu object(s).", moved.len);
	return 0;
}

/* Into the state of -state-out, which stays open beside the other one. */
static int move_out(struct tool *t, struct str file, struct str backup,
		    bool dry_run)
{
	struct state_access to = t->st;
	int rc;

	to.b = NULL;
	to.s = NULL;
	to.o.state_path = file;
	to.o.backup_path = backup;
	state_access_edit_backup(&to);
	rc = state_access_read(&to, "state-mv") || move(t, &to, dry_run);
	return state_access_close(&to) || rc ? -1 : 0;
}

int cmd_mv(struct tool *t, int argc, char **argv)
{
	struct str other = STR_NONE, other_backup = STR_NONE;
	bool dry_run = false;
	const struct opt options[] = {
		{ "dry-run", OPT_FLAG, &dry_run, NULL,
		  "only say what would be moved" },
		STATE_OPTION(t),
		{ "state-out", OPT_STRING, &other, "FILE",
		  "move into this state file" },
		BACKUP_OPTION(t),
		{ "backup-out", OPT_STRING, &other_backup, "FILE",
		  "backup of -state-out's file" },
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r =
		tool_options(t, "tf-state mv", "SOURCE DESTINATION", options,
			     argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 2, "Invalid number of arguments",
			  "Exactly two arguments expected") ||
	    tool_begin(t))
		return -1;
	state_access_edit_backup(&t->st);
	if (state_access_need(&t->st, "state-mv"))
		return -1;
	return other.n ? move_out(t, other, other_backup, dry_run)
		       : move(t, &t->st, dry_run);
}

static int remove_all(struct tool *t, bool dry_run)
{
	struct state_ref_vec refs = { 0 };

	if (state_find(&t->st, &t->rest, true, &refs))
		return -1;
	for (size_t i = 0; i < refs.len; i++)
		state_say(&t->v, "%s %.*s",
			  dry_run ? "Would remove" : "Removed",
			  STR_ARG(state_ref_text(&t->arena, &refs.items[i])));
	if (dry_run) {
		if (!refs.len)
			state_say(&t->v, "Would have removed nothing.");
		return 0;
	}
	if (!refs.len)
		return diag_error(&t->ds, NULL, "Invalid target address",
				  "Nothing in the state matches. See \"" COMMAND
				  " state list\" for what there is.%.*s",
				  STR_ARG(state_hint(&t->arena, t->st.s,
						     t->rest.items[0])));
	if (state_remove_all(&t->st, &refs))
		return -1;
	state_say(&t->v, "Successfully removed %zu resource instance(s).",
		  refs.len);
	return 0;
}

int cmd_rm(struct tool *t, int argc, char **argv)
{
	bool dry_run = false;
	const struct opt options[] = {
		{ "dry-run", OPT_FLAG, &dry_run, NULL,
		  "only say what would be removed" },
		STATE_OPTION(t),
		BACKUP_OPTION(t),
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state rm", "ADDRESS...",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (!t->rest.len)
		return tool_operands(t, 1, "Invalid number of arguments",
				     "At least one address is required");
	if (tool_begin(t))
		return -1;
	state_access_edit_backup(&t->st);
	return state_access_need(&t->st, "state-rm") ? -1
						     : remove_all(t, dry_run);
}

static int replace_provider(struct tool *t, struct provider_addr from,
			    struct provider_addr to, bool approved)
{
	struct state_resource_vec rs = { 0 };

	state_of_provider(&t->arena, t->st.s, from, &rs);
	if (!rs.len) {
		state_say(&t->v, "No matching resources found%s",
			  t->json ? "" : ".");
		return 0;
	}
	state_say_provider(&t->v, from, to, &rs);
	if (!approved) {
		int yes = tool_confirm("\nDo you want to make these changes?");

		if (yes < 0)
			return diag_error(
				&t->ds, NULL, "Error asking for approval",
				"Standard input ended without an "
				"answer. -auto-approve does not ask.");
		if (!yes) {
			state_say(&t->v, "Cancelled replacing providers.");
			return 0;
		}
	}
	if (state_replace_provider(&t->st, &rs, to))
		return -1;
	state_say(&t->v, "Successfully replaced provider for %zu resources.",
		  rs.len);
	return 0;
}

int cmd_replace_provider(struct tool *t, int argc, char **argv)
{
	bool approved = false;
	const struct opt options[] = {
		{ "auto-approve", OPT_FLAG, &approved, NULL, "do not ask" },
		STATE_OPTION(t),
		BACKUP_OPTION(t),
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	struct provider_addr from, to;
	enum opts_result r = tool_options(t, "tf-state replace-provider",
					  "FROM TO", options, argc, argv);
	int rc;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 2, "Invalid number of arguments",
			  "Exactly two arguments expected") ||
	    tool_begin(t))
		return -1;
	rc = state_provider_parse(&t->arena, t->rest.items[0], "from", &from,
				  &t->ds);
	rc |= state_provider_parse(&t->arena, t->rest.items[1], "to", &to,
				   &t->ds);
	if (rc)
		return -1;
	state_access_edit_backup(&t->st);
	if (state_access_need(&t->st, "state-replace-provider"))
		return -1;
	return replace_provider(t, from, to, approved);
}
