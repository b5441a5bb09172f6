/* tf-state-edit.c - mv, rm, replace-provider */
#include <sys/stat.h>

#include "base/product.h"
#include "state/edit/edit.h"
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

/* Is this file, by whatever path, the state that is moved from? */
static bool is_source(struct tool *t, struct str file)
{
	struct stat from, to;
	struct str path = backend_name(t->st.b);

	return !backend_is_remote(t->st.b) &&
	       stat(str_dup(&t->arena, path).p, &from) == 0 &&
	       stat(str_dup(&t->arena, file).p, &to) == 0 &&
	       from.st_ino == to.st_ino && from.st_dev == to.st_dev;
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
	return other.n && !is_source(t, other)
		       ? move_out(t, other, other_backup, dry_run)
		       : move(t, &t->st, dry_run);
}

/* What is removed by hand is known. */
static int settle(struct tool *t, const struct str *address, size_t *n)
{
	struct backend *b = t->st.b;

	if (backend_settle(b, address, n, &t->ds))
		return -1;
	if (*n)
		state_say(
			&t->v,
			"%zu operation%s of unknown outcome%s%.*s will not be told any more.",
			*n, *n == 1 ? "" : "s", address ? " of " : "",
			STR_ARG(address ? *address : STR_NONE));
	return 0;
}

static int remove_all(struct tool *t, bool dry_run)
{
	struct state_ref_vec refs = { 0 };
	size_t settled = 0;

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
	for (size_t i = 0; i < t->rest.len; i++) {
		size_t n;

		if (settle(t, &t->rest.items[i], &n))
			return -1;
		settled += n;
	}
	if (!refs.len && settled)
		return 0;
	if (!refs.len)
		return diag_error(
			&t->ds, NULL, "Invalid target address",
			"Nothing in the state matches. See \"%s state list\" for what there is.%.*s",
			product_command(),
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
				"Standard input ended without an answer. -auto-approve does not ask.");
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

/* --- recover --- */

struct recovering {
	struct tool *t;
	bool approved, discard;
	bool refused;
};

static enum journal_decision decide(void *data, const struct journal_report *r)
{
	struct recovering *c = data;
	struct tool *t = c->t;

	state_say(&t->v, "The journal %.*s is damaged:%.*s", STR_ARG(r->path),
		  STR_ARG(r->damage));
	if (c->discard)
		state_say(&t->v, "\nNothing of it will be used.");
	else if (!r->usable)
		return JOURNAL_LEAVE;
	else
		state_say(&t->v,
			  "\nWhat stands on its own will be put into the "
			  "state:%.*s",
			  STR_ARG(r->records.n ? r->records
					       : STR("\n  (none)")));
	state_say(&t->v, "\nThe journal itself will be kept under another "
			 "name.");
	out_flush(&t->out);
	if (!c->approved && tool_confirm("\nDo you want this?") != 1) {
		c->refused = true;
		return JOURNAL_LEAVE;
	}
	return c->discard ? JOURNAL_DISCARD : JOURNAL_USE;
}

int cmd_recover(struct tool *t, int argc, char **argv)
{
	struct recovering c = { .t = t };
	const struct opt options[] = {
		{ "auto-approve", OPT_FLAG, &c.approved, NULL, "do not ask" },
		{ "discard", OPT_FLAG, &c.discard, NULL,
		  "use nothing of a journal that is damaged" },
		STATE_OPTION(t),
		BACKUP_OPTION(t),
		LOCK_TIMEOUT_OPTION(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r =
		tool_options(t, "tf-state recover", "", options, argc, argv);
	struct str kept;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 0, "Invalid number of arguments",
			  "No arguments expected") ||
	    tool_begin(t))
		return -1;
	t->st.o.decide = decide;
	t->st.o.decide_data = &c;
	if (state_access_read(&t->st, "state-recover")) {
		if (c.refused)
			state_say(&t->v,
				  "Cancelled. The journal is as it was.");
		return -1;
	}
	kept = backend_kept_journal(t->st.b);
	if (kept.n)
		state_say(&t->v, "The damaged journal is kept as %.*s.",
			  STR_ARG(kept));
	else
		state_say(&t->v, "No journal is damaged.");
	return 0;
}

/* --- settle --- */

static int settle_operands(struct tool *t)
{
	for (size_t i = 0; i < t->rest.len; i++) {
		size_t n;

		if (settle(t, &t->rest.items[i], &n))
			return -1;
		if (!n)
			diag_error(
				&t->ds, NULL, "Invalid target address",
				"No operation of unknown outcome is of %.*s.",
				STR_ARG(t->rest.items[i]));
	}
	return diags_failed(&t->ds) ? -1 : 0;
}

int cmd_settle(struct tool *t, int argc, char **argv)
{
	bool all = false;
	const struct opt options[] = {
		{ "all", OPT_FLAG, &all, NULL, "all operations" },
		STATE_OPTION(t),
		LOCK_TIMEOUT_OPTION(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state settle", "ADDRESS...",
					  options, argc, argv);
	size_t n;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (all ? t->rest.len : !t->rest.len)
		return tool_operands(t, all ? 0 : 1,
				     "Invalid number of arguments",
				     "Either addresses or -all is required");
	t->st.o.unsettled_told = true;
	if (tool_begin(t) || state_access_read(&t->st, "state-settle"))
		return -1;
	if (!all)
		return settle_operands(t);
	if (settle(t, NULL, &n))
		return -1;
	if (!n)
		state_say(&t->v, "No operation is of unknown outcome.");
	return 0;
}
