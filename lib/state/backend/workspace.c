/*
 * workspace.c - named states of one configuration: which is current, and what
 * they may be called
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "state/backend/workspaces.h"
#include "base/io.h"
#include "base/workdir.h"

static struct str environment_path(struct arena *a, struct str data_dir)
{
	return str_printf(a, "%.*s/environment",
			  STR_ARG(workdir_data_or(data_dir)));
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

int workspace_check_current(struct str name, struct diags *ds)
{
	if (workspace_name_valid(name))
		return 0;
	if (!name.n)
		return diag_error(
			ds, NULL, "Error selecting workspace",
			"The file \"environment\" in the data directory, which names the current workspace, cannot be read. Select one, or remove it.");
	return diag_error(
		ds, NULL, "Error selecting workspace",
		"The workspace name \"%.*s\" that was selected is not allowed.",
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
	} else if (errno != ENOENT && errno != ENOTDIR) {
		return STR("");
	}
	return name;
}

int workspace_select(struct str data_dir, struct str name, struct diags *ds)
{
	struct str dir = str_dup(ds->arena, workdir_data_or(data_dir));
	struct str path = environment_path(ds->arena, data_dir);
	struct stat st;

	/* a pipe would be written to, and nobody reads it */
	if (lstat(path.p, &st) == 0 && S_ISFIFO(st.st_mode))
		io_unlink(path.p);
	if (io_make_dirs(dir.p, 0755) ||
	    io_replace_file(path.p, name.p, name.n, 0644))
		return diag_error(
			ds, NULL, "Error setting workspace",
			"The workspace %.*s could not be made the current one: %.*s: %s.",
			STR_ARG(name), STR_ARG(path), io_why());
	return 0;
}
