/* tf-state-edit.c - mv, rm, replace-provider, taint, untaint */
#include "tf-state.h"

#include "base/product.h"

/* Opens and reads the state that -state-out names, which stays open beside
 * t's own. */
static int open_other(struct tool *t, struct str file, struct backend **b,
		      struct state **s)
{
	struct backend *own = t->b;
	struct str state = t->state, backup = t->backup;
	int rc = -1;

	t->state = file;
	t->backup = t->backup_out;
	tool_edit_backup(t);
	if (!tool_open(t) && !tool_lock(t, t->b, "state-mv")) {
		*s = backend_read(t->b, &t->ds);
		rc = *s ? 0 : -1;
	}
	*b = t->b;
	t->b = own;
	t->state = state;
	t->backup = backup;
	return rc;
}

static int write_moved(struct tool *t, struct backend *to_b, struct state *to)
{
	if (backend_write(to_b, to, &t->ds))
		return -1;
	return to == t->s ? 0 : backend_write(t->b, t->s, &t->ds);
}

static int move(struct tool *t, struct str other, bool dry_run)
{
	struct state_moved_vec moved = { 0 };
	struct backend *to_b = t->b;
	struct state *to = t->s;
	int rc = 0;

	if (other.n) {
		to_b = NULL;
		to = NULL;
		rc = open_other(t, other, &to_b, &to);
	}
	if (!rc)
		rc = state_move(&t->arena, t->s, to, t->rest.items[0],
				t->rest.items[1], dry_run, &moved, &t->ds);
	for (size_t i = 0; i < moved.len; i++) {
		struct buf from = BUF_INIT, dest = BUF_INIT;

		quoted_print(&from, moved.items[i].from);
		quoted_print(&dest, moved.items[i].to);
		tool_say(t, "%s %s to %s", dry_run ? "Would move" : "Move",
		       from.p, dest.p);
		buf_release(&from);
		buf_release(&dest);
	}
	if (!rc && !dry_run) {
		rc = write_moved(t, to_b, to);
		if (!rc)
			tool_say(t, "Successfully moved %zu object(s).",
				 moved.len);
	}
	if (to_b && to_b != t->b) {
		rc |= backend_unlock(to_b, &t->ds);
		backend_close(to_b);
	}
	return rc;
}

int cmd_mv(struct tool *t, int argc, char **argv)
{
	struct str other = STR_NONE;
	bool dry_run = false;
	const struct opt options[] = {
		{ "dry-run", OPT_FLAG, &dry_run, NULL,
		  "only say what would be moved" },
		STATE_OPTION(t),
		{ "state-out", OPT_STRING, &other, "FILE",
		  "move into this state file" },
		{ "backup", OPT_STRING, &t->backup, "FILE",
		  "backup of the state" },
		{ "backup-out", OPT_STRING, &t->backup_out, "FILE",
		  "backup of -state-out's file" },
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state mv",
					  "SOURCE DESTINATION", options, argc,
					  argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 2, "Invalid number of arguments",
			  "Exactly two arguments expected") || tool_begin(t))
		return -1;
	tool_edit_backup(t);
	return tool_read(t, "state-mv") ? -1 : move(t, other, dry_run);
}

static int find_removed(struct tool *t, struct state_ref_vec *refs)
{
	int rc = 0;

	for (size_t i = 0; i < t->rest.len; i++)
		rc |= state_lookup(&t->arena, t->s, t->rest.items[i], true,
				   refs, &t->ds);
	return rc;
}

static int remove_all(struct tool *t, bool dry_run)
{
	struct state_ref_vec refs = { 0 };

	if (find_removed(t, &refs))
		return -1;
	for (size_t i = 0; i < refs.len; i++) {
		struct str text = state_ref_text(&t->arena, &refs.items[i]);

		tool_say(t, "%s %.*s", dry_run ? "Would remove" : "Removed",
			 STR_ARG(text));
		if (!dry_run)
			state_forget(t->s, &refs.items[i]);
	}
	if (dry_run) {
		if (!refs.len)
			tool_say(t, "Would have removed nothing.");
		return 0;
	}
	if (!refs.len)
		return diag_error(&t->ds, NULL, "Invalid target address",
				  "Nothing in the state matches. See "
				  "\"tf-state list\" for what there is.");
	if (backend_write(t->b, t->s, &t->ds))
		return -1;
	tool_say(t, "Successfully removed %zu resource instance(s).",
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
		{ "backup", OPT_STRING, &t->backup, "FILE",
		  "backup of the state" },
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
	tool_edit_backup(t);
	return tool_read(t, "state-rm") ? -1 : remove_all(t, dry_run);
}

static int read_provider(struct tool *t, struct str text, const char *which,
			 struct provider_addr *out)
{
	struct str why = STR_NONE;

	if (!provider_addr_parse(&t->arena, text, provider_default_host(),
				 out, &why))
		return 0;
	return diag_error(&t->ds, NULL,
			  arena_printf(&t->arena,
				       "Invalid \"%s\" provider \"%.*s\"",
				       which, STR_ARG(text)),
			  "%.*s", STR_ARG(why));
}

static void provider_overview_json(struct tool *t, struct str from,
				   struct str to,
				   const struct state_resource_vec *rs)
{
	struct buf line = BUF_INIT, text = BUF_INIT;
	struct jw w = ui_message(
		&line, "info",
		str_printf(&t->arena, PRODUCT " will replace provider from "
				      "%.*s to %.*s for %zu resources",
			   STR_ARG(from), STR_ARG(to), rs->len));

	jw_member_str(&w, "from", from);
	jw_key(&w, "resources");
	jw_array(&w);
	for (size_t i = 0; i < rs->len; i++) {
		buf_set_len(&text, 0);
		state_resource_text(&text, rs->items[i]->module,
				    &rs->items[i]->addr);
		jw_str(&w, buf_view(&text));
	}
	jw_array_end(&w);
	jw_member_str(&w, "to", to);
	jw_member_str(&w, "type", STR("replace_provider"));
	ui_message_end(&t->v, &line, &w);
	buf_release(&text);
}

static void provider_overview(struct tool *t, struct str from, struct str to,
			      const struct state_resource_vec *rs)
{
	struct buf b = BUF_INIT;

	if (t->json) {
		provider_overview_json(t, from, to, rs);
		return;
	}
	buf_addf(&b, PRODUCT " will perform the following actions:\n\n"
		     "  ~ Updating provider:\n    - %.*s\n    + %.*s\n\n"
		     "Changing %zu resources:\n\n", STR_ARG(from),
		 STR_ARG(to), rs->len);
	for (size_t i = 0; i < rs->len; i++) {
		buf_puts(&b, "  ");
		state_resource_text(&b, rs->items[i]->module,
				    &rs->items[i]->addr);
		buf_putc(&b, '\n');
	}
	out_str(&t->out, buf_view(&b));
	out_flush(&t->out);
	buf_release(&b);
}

static int replace_provider(struct tool *t, struct provider_addr from,
			    struct provider_addr to, bool approved)
{
	struct state_resource_vec rs = { 0 };

	state_of_provider(&t->arena, t->s, from, &rs);
	if (!rs.len) {
		tool_say(t, "No matching resources found%s",
			 t->json ? "" : ".");
		return 0;
	}
	provider_overview(t, provider_addr_text(&t->arena, from),
			  provider_addr_text(&t->arena, to), &rs);
	if (!approved) {
		int yes = tool_confirm("\nDo you want to make these changes?");

		if (yes < 0)
			return diag_error(&t->ds, NULL,
					  "Error asking for approval",
					  "Standard input ended without an "
					  "answer. -auto-approve does not ask.");
		if (!yes) {
			tool_say(t, "Cancelled replacing providers.");
			return 0;
		}
	}
	for (size_t i = 0; i < rs.len; i++)
		rs.items[i]->provider.provider = to;
	if (backend_write(t->b, t->s, &t->ds))
		return -1;
	tool_say(t, "Successfully replaced provider for %zu resources.",
		 rs.len);
	return 0;
}

int cmd_replace_provider(struct tool *t, int argc, char **argv)
{
	bool approved = false;
	const struct opt options[] = {
		{ "auto-approve", OPT_FLAG, &approved, NULL, "do not ask" },
		STATE_OPTION(t),
		{ "backup", OPT_STRING, &t->backup, "FILE",
		  "backup of the state" },
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
			  "Exactly two arguments expected") || tool_begin(t))
		return -1;
	rc = read_provider(t, t->rest.items[0], "from", &from);
	rc |= read_provider(t, t->rest.items[1], "to", &to);
	if (rc)
		return -1;
	tool_edit_backup(t);
	if (tool_read(t, "state-replace-provider"))
		return -1;
	return replace_provider(t, from, to, approved);
}

static int taint(struct tool *t, bool tainted, bool allow_missing)
{
	struct str address = t->rest.items[0];
	int rc;

	if (tool_open(t) ||
	    tool_lock(t, t->b, tainted ? "taint" : "untaint"))
		return -1;
	t->s = backend_read(t->b, &t->ds);
	rc = t->s ? state_taint(t->s, address, tainted, allow_missing,
				&t->ds) : -1;
	if (rc)
		return rc < 0 ? -1 : 0;
	if (backend_write(t->b, t->s, &t->ds))
		return -1;
	ui_say(&t->v, arena_printf(&t->arena,
				   "Resource instance %.*s has been %s.",
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
	enum opts_result r = tool_options(t, tainted ? "tf-state taint" :
						       "tf-state untaint",
					  "ADDRESS", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid arguments",
			  "Exactly one address is expected.") || tool_begin(t))
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
