/*
 * workspace.c - named states of one configuration: which is current, and the
 * rules for making and deleting them
 */
#include "state/backend/workspace.h"

#include "state/backend/backend_int.h"
#include "state/backend/lock.h"

#include <errno.h>
#include <stdlib.h>

static struct str environment_path(struct arena *a, struct str data_dir)
{
	if (!data_dir.n)
		data_dir = STR(".terraform");
	return str_printf(a, "%.*s/environment", STR_ARG(data_dir));
}

bool workspace_overridden(struct str *name)
{
	*name = str_c(getenv("TF_WORKSPACE"));
	return name->n != 0;
}

bool workspace_name_valid(struct str name)
{
	if (!name.n || str_is(name, ".") || str_is(name, ".."))
		return false;
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      (c >= '0' && c <= '9')) &&
		    (c == '\0' || !strchr("-_.~$&+=:@", c)))
			return false;
	}
	return true;
}

int workspace_check(struct diags *ds)
{
	struct str name;

	if (!workspace_overridden(&name) || workspace_name_valid(name))
		return 0;
	return diag_error(ds, NULL,
			  "Invalid workspace name set using TF_WORKSPACE",
			  "The name \"%.*s\" is not allowed: it may hold only "
			  "characters that a URL shows as they are, and no "
			  "path separators.",
			  STR_ARG(name));
}

struct str workspace_current(struct arena *a, struct str data_dir)
{
	struct str path = environment_path(a, data_dir), name;
	struct str s;

	if (workspace_overridden(&name))
		return name;
	name = STR("default");
	if (io_read_regular(a, path.p, 4096, &s) == 0) {
		while (s.n && strchr(" \t\r\n", s.p[s.n - 1]))
			s.n--;
		while (s.n && strchr(" \t\r\n", *s.p))
			s = str_sub(s, 1, s.n);
		if (s.n)
			name = str_dup(a, s);
	}
	return name;
}

int workspace_select(struct str data_dir, struct str name, struct diags *ds)
{
	struct str dir =
		str_dup(ds->arena, data_dir.n ? data_dir : STR(".terraform"));
	struct str path = environment_path(ds->arena, data_dir);

	if (io_make_dirs(dir.p, 0755) ||
	    io_replace_file(path.p, name.p, name.n, 0644))
		return diag_error(ds, NULL, "Error setting workspace",
				  "The workspace %.*s could not be made the "
				  "current one: %.*s: %s.",
				  STR_ARG(name), STR_ARG(path), io_why());
	return 0;
}

int workspace_list(struct backend *b, struct str_vec *out, struct diags *ds)
{
	if (b->ops->one_workspace)
		return diag_error(ds, NULL, "workspaces not supported",
				  "The backend \"%s\" has the default "
				  "workspace only.",
				  b->ops->type);
	vec_push(b->arena, out, STR("default"));
	return b->ops->workspaces(b, out, ds);
}

static int exists(struct backend *b, struct str name, bool *found,
		  struct diags *ds)
{
	struct str_vec names = { 0 };

	*found = false;
	if (workspace_list(b, &names, ds))
		return -1;
	for (size_t i = 0; i < names.len; i++)
		*found = *found || str_eq(names.items[i], name);
	return 0;
}

static int invalid_name(struct str name, struct diags *ds)
{
	return diag_error(ds, NULL, "Invalid workspace name",
			  "The workspace name \"%.*s\" is not allowed: it may "
			  "hold only characters that a URL shows as they are, "
			  "and no path separators.",
			  STR_ARG(name));
}

int workspace_new(struct backend *b, struct str name, struct diags *ds)
{
	bool found;
	char *summary;

	if (!workspace_name_valid(name))
		return invalid_name(name, ds);
	if (exists(b, name, &found, ds))
		return -1;
	if (found) {
		summary = arena_printf(ds->arena,
				       "Workspace \"%.*s\" already exists",
				       STR_ARG(name));
		return diag_error(ds, NULL, summary,
				  "A workspace of this name exists; select it "
				  "instead.");
	}
	return b->ops->workspace_make(b, name, ds);
}

/* The managed instances of s, one a line, at most the first few. */
static size_t list_managed(const struct state *s, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->resources.len; i++) {
		const struct state_resource *r = s->resources.items[i];

		if (r->addr.mode != MODE_MANAGED)
			continue;
		for (size_t k = 0; k < r->instances.len; k++, n++) {
			if (n >= 20)
				continue;
			buf_puts(out, "\n  - ");
			state_resource_text(out, r->module, &r->addr);
			inst_key_print(out, r->instances.items[k]->key);
			if (r->instances.items[k]->deposed.n)
				buf_addf(out, " (deposed object %.*s)",
					 STR_ARG(r->instances.items[k]
							 ->deposed));
		}
	}
	return n;
}

static int check_empty(struct str name, const struct state *s, bool force,
		       struct diags *ds)
{
	struct buf list = BUF_INIT;
	size_t n = list_managed(s, &list);

	if (n && force)
		diag_warning(ds, NULL,
			     arena_printf(ds->arena, "\"%.*s\" was non-empty",
					  STR_ARG(name)),
			     "The objects that the workspace managed may still "
			     "exist, but nothing knows of them any more.");
	else if (n)
		diag_error(ds, NULL, "Workspace is not empty",
			   "The workspace \"%.*s\" manages %zu objects:%s%s\n"
			   "\nThey would be forgotten, not destroyed. Destroy "
			   "them first, or delete the workspace with -force.",
			   STR_ARG(name), n, list.p, n > 20 ? "\n  - …" : "");
	buf_release(&list);
	return n && !force ? -1 : 0;
}

static int look_inside(struct backend *b, struct str name, bool force,
		       bool lock, uint64_t timeout_ms, struct diags *ds)
{
	struct backend_options o = b->opts;
	struct backend *other;
	struct state *s = NULL;
	int rc = -1;

	o.workspace = name;
	other = backend_open(b->arena, &o, ds);
	if (!other)
		return -1;
	if (!lock || !backend_lock(other, "workspace-delete", timeout_ms, ds))
		s = backend_read(other, ds);
	if (s)
		rc = check_empty(name, s, force, ds);
	rc |= backend_unlock(other, ds);
	backend_close(other);
	return rc;
}

int workspace_delete(struct backend *b, struct str name, bool force, bool lock,
		     uint64_t timeout_ms, struct diags *ds)
{
	bool found;

	if (exists(b, name, &found, ds))
		return -1;
	if (!found)
		return diag_error(ds, NULL,
				  arena_printf(ds->arena,
					       "Workspace \"%.*s\" "
					       "doesn't exist",
					       STR_ARG(name)),
				  "There is nothing to delete.");
	if (!workspace_name_valid(name))
		return invalid_name(name, ds);
	if (look_inside(b, name, force, lock, timeout_ms, ds))
		return -1;
	if (str_is(name, "default"))
		return diag_error(ds, NULL, "Workspace deletion failed",
				  "The default workspace always exists; it "
				  "cannot be deleted.");
	return b->ops->workspace_remove(b, name, ds);
}
