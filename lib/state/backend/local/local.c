/*
 * local.c - state in a file of the local disk
 *
 * Paths are OpenTofu's: terraform.tfstate, or terraform.tfstate.d/NAME/ for
 * other workspaces; the options and the backend block override them.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/backend/local/local_int.h"
#include "base/workdir.h"

static struct str config_text(const struct backend *b, const char *name)
{
	const struct value *v =
		b->opts.config ? value_get(b->opts.config, str_c(name)) : NULL;

	return v && value_usable(v) && v->type->kind == TYPE_STRING ? v->string
								    : STR_NONE;
}

static int check_config(struct backend *b, struct diags *ds)
{
	static const struct {
		const char *name, *summary;
	} rules[] = {
		{ "path", "Invalid local state file path" },
		{ "workspace_dir", "Invalid local workspace directory path" },
	};
	int rc = 0;

	for (int i = 0; i < 2; i++) {
		struct str v = config_text(b, rules[i].name);

		if (v.p && !v.n)
			rc = diag_error(
				ds, NULL, rules[i].summary,
				"The attribute \"%s\" must not be empty.",
				rules[i].name);
	}
	return rc;
}

/* dir/.NAME<suffix> for the file dir/NAME, one leading dot of NAME dropped. */
/* If path is no regular file, a device perhaps, the working directory is
 * used. */
static struct str beside(struct backend *b, struct str path, const char *suffix)
{
	const char *slash = memrchr(path.p, '/', path.n);
	size_t dir = slash ? (size_t)(slash - path.p) + 1 : 0;
	struct str name = str_sub(path, dir, path.n);
	struct stat st;

	if (dir && stat(arena_strndup(b->arena, path.p, path.n), &st) == 0 &&
	    !S_ISREG(st.st_mode))
		dir = 0;
	if (name.n && name.p[0] == '.')
		name = str_sub(name, 1, name.n);
	return str_printf(b->arena, "%.*s.%.*s%s", (int)dir, path.p,
			  STR_ARG(name), suffix);
}

static struct str default_path(struct backend *b, const struct local *l)
{
	struct str path = config_text(b, "path");

	if (!str_is(b->workspace, "default"))
		return str_printf(b->arena, "%.*s/%.*s/" WORKDIR_STATE,
				  STR_ARG(l->workspace_dir),
				  STR_ARG(b->workspace));
	return path.n ? path : STR(WORKDIR_STATE);
}

static int local_open(struct backend *b, struct diags *ds)
{
	struct local *l = ARENA_NEW(b->arena, struct local);
	const struct backend_options *o = &b->opts;
	struct str read, write, backup;

	l->fd = -1;
	b->data = l;
	if (check_config(b, ds))
		return -1;
	l->workspace_dir = str_dup(b->arena, config_text(b, "workspace_dir"));
	if (!l->workspace_dir.n)
		l->workspace_dir = STR(WORKDIR_STATES);
	read = o->state_path.n ? o->state_path : default_path(b, l);
	write = o->state_out.n ? o->state_out : read;
	backup = o->backup_path;
	if (!backup.n)
		backup = str_printf(b->arena, "%.*s.backup", STR_ARG(write));
	b->name = str_dup(b->arena, read);
	l->read_path = str_dup(b->arena, read);
	l->write_path = str_dup(b->arena, write);
	l->split = !str_eq(read, write);
	if (!str_is(backup, "-"))
		l->backup_path = str_dup(b->arena, backup);
	l->info_path = beside(b, l->write_path, ".lock.info");
	b->journal_path = beside(b, l->write_path, ".journal");
	return 0;
}

static void local_close(struct backend *b)
{
	struct local *l = b->data;

	if (l && l->fd >= 0) {
		close(l->fd);
		l->fd = -1;
	}
}

static int not_dot(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static int byte_order(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int local_workspaces(struct backend *b, struct str_vec *out,
			    struct diags *ds)
{
	struct local *l = b->data;
	const struct str dir = l->workspace_dir;
	struct dirent **list;
	int n = scandir(dir.p, &list, not_dot, byte_order);

	if (n < 0)
		return errno == ENOENT
			       ? 0
			       : diag_error(ds, NULL,
					    "Error loading workspaces",
					    "Cannot list %.*s: %s.",
					    STR_ARG(dir), strerror(errno));
	for (int i = 0; i < n; i++) {
		struct str path = str_printf(b->arena, "%.*s/%s", STR_ARG(dir),
					     list[i]->d_name);
		struct stat st;

		if (lstat(path.p, &st) == 0 && S_ISDIR(st.st_mode))
			vec_push(b->arena, out,
				 str_c(arena_strdup(b->arena,
						    list[i]->d_name)));
		free(list[i]);
	}
	free(list);
	return 0;
}

static struct str workspace_path(struct backend *b, struct str name)
{
	struct local *l = b->data;

	return str_printf(b->arena, "%.*s/%.*s", STR_ARG(l->workspace_dir),
			  STR_ARG(name));
}

static int local_workspace_make(struct backend *b, struct str name,
				struct diags *ds)
{
	struct str path = workspace_path(b, name);

	if (str_is(name, "default") || io_make_dirs_synced(path.p, 0755) == 0)
		return 0;
	return diag_error(ds, NULL, "Error getting the state manager",
			  "Cannot create %.*s: %s.", STR_ARG(path),
			  strerror(errno));
}

/* A state, its backup, its journals, its lock info. */
static bool is_of_state(const char *name)
{
	return str_starts(str_c(name + (*name == '.')), WORKDIR_STATE);
}

/* The directory may be any that a configuration or a link in a repository
 * names: only files of a state are removed from it. */
static int remove_files(struct arena *a, struct str dir, DIR *d,
			const char **other)
{
	const struct dirent *e;
	int rc = 0;

	while ((e = readdir(d)))
		if (not_dot(e) && !is_of_state(e->d_name)) {
			*other = arena_strdup(a, e->d_name);
			errno = ENOTEMPTY;
			return -1;
		}
	rewinddir(d);
	while (!rc && (e = readdir(d)))
		if (not_dot(e))
			rc = unlinkat(dirfd(d), e->d_name, 0);
	return rc || rmdir(dir.p) ? -1 : 0;
}

static int local_workspace_remove(struct backend *b, struct str name,
				  struct diags *ds)
{
	struct str path = workspace_path(b, name);
	const char *other = NULL;
	DIR *d = opendir(path.p);
	int rc;

	if (!d && errno == ENOENT)
		return 0;
	rc = d ? remove_files(b->arena, path, d, &other) : -1;
	if (rc && other)
		diag_error(ds, NULL, "Error deleting the workspace",
			   "%.*s holds \"%s\", which is not of a state: move "
			   "that elsewhere, and delete the workspace again.",
			   STR_ARG(path), other);
	else if (rc)
		diag_error(ds, NULL, "Error deleting the workspace",
			   "Cannot remove %.*s: %s.", STR_ARG(path),
			   strerror(errno));
	if (d)
		closedir(d);
	return rc;
}

const struct backend_ops backend_local = {
	.type = "local",
	.open = local_open,
	.close = local_close,
	.fetch = local_fetch,
	.fetch_target = local_fetch_target,
	.store = local_store,
	.backup = local_backup,
	.lock = local_lock,
	.unlock = local_unlock,
	.is_locked = local_is_locked,
	.force_unlock = local_force_unlock,
	.workspaces = local_workspaces,
	.workspace_make = local_workspace_make,
	.workspace_remove = local_workspace_remove,
};
