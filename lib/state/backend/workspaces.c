/* workspaces.c - see workspaces.h */
#include "state/backend/workspaces.h"

#include <errno.h>

#include "base/didyoumean.h"
#include "base/io.h"
#include "base/product.h"
#include "state/backend/lock.h"
#include "state/backend/workspace.h"
#include "state/file/read.h"

int workspace_check_name(struct str name, struct diags *ds)
{
	if (workspace_name_valid(name))
		return 0;
	return diag_error(ds, NULL, "Invalid workspace name",
			  "The workspace name \"%.*s\" is not allowed: it may "
			  "hold only characters that a URL shows as they are, "
			  "and no path separators.",
			  STR_ARG(name));
}

int workspace_make(struct state_access *a, struct str name)
{
	return state_access_open(a) || workspace_new(a->b, name, a->ds) ||
			       workspace_select(a->o.data_dir, name, a->ds)
		       ? -1
		       : 0;
}

int workspace_fill(struct state_access *a, struct str name, struct str file)
{
	struct buf text = BUF_INIT;
	struct state *s;
	int rc = -1;

	if (io_read_file(file.p, &text, 0))
		return diag_error(a->ds, NULL, "Error opening the given state",
				  "Cannot read %.*s: %s.", STR_ARG(file),
				  strerror(errno));
	s = state_parse(a->arena, buf_view(&text), file.p, a->ds);
	backend_close(a->b);
	a->b = NULL;
	a->o.workspace = name;
	if (s && !state_access_read(a, "workspace-new")) {
		s->lineage = STR_NONE; /* a state of its own */
		rc = backend_write(a->b, s, a->ds);
	}
	buf_release(&text);
	return rc;
}

/* *names: of all workspaces. */
static int is_known(struct state_access *a, struct str name, bool *known,
		    struct str_vec *names)
{
	*known = false;
	if (workspace_list(a->b, names, a->ds))
		return -1;
	for (size_t i = 0; i < names->len; i++)
		*known = *known || str_eq(names->items[i], name);
	return 0;
}

static int missing(struct state_access *a, struct str name,
		   const struct str_vec *names)
{
	struct str near =
		didyoumean_hint(a->arena, name, names->items, names->len);

	return diag_error(a->ds, NULL,
			  arena_printf(a->arena,
				       "Workspace \"%.*s\" doesn't exist",
				       STR_ARG(name)),
			  "Make it with \"" COMMAND " workspace new\", or "
			  "select it with -or-create.%.*s",
			  STR_ARG(near));
}

int workspace_change(struct state_access *a, struct str name, bool create,
		     bool *made)
{
	struct str_vec names = { 0 };
	bool known;

	*made = false;
	if (workspace_check_name(name, a->ds))
		return -1;
	if (str_eq(name, a->o.workspace))
		return 1;
	if (is_known(a, name, &known, &names))
		return -1;
	if (!known && !create)
		return missing(a, name, &names);
	if (!known && workspace_new(a->b, name, a->ds))
		return -1;
	*made = !known;
	return workspace_select(a->o.data_dir, name, a->ds);
}

int workspace_remove(struct state_access *a, struct str name, bool force)
{
	struct str_vec names = { 0 };
	uint64_t ms = 0;
	bool known;

	if (is_known(a, name, &known, &names))
		return -1;
	if (!known)
		return missing(a, name, &names);
	if (str_eq(name, a->o.workspace))
		return diag_error(a->ds, NULL,
				  arena_printf(a->arena,
					       "Workspace \"%.*s\" is your "
					       "active workspace",
					       STR_ARG(name)),
				  "Switch to another workspace first.");
	if (lock_timeout_option(a->timeout, &ms, a->ds))
		return -1;
	return workspace_delete(a->b, name, force, a->lock, ms, a->ds);
}
