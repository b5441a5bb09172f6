/*
 * workspace.c - named states of one configuration: what they may be called, and
 * which one is selected
 */
#include "state/backend/workspaces.h"
#include "base/io.h"
#include "base/workdir.h"

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

int workspace_check(const struct workdir *w, struct diags *ds)
{
	if (!w->forced.n || workspace_name_valid(w->forced))
		return 0;
	return diag_error(ds, NULL,
			  "Invalid workspace name set using TF_WORKSPACE",
			  "The name \"%.*s\" is not allowed: it may hold only "
			  "characters that a URL shows as they are, and no "
			  "path separators.",
			  STR_ARG(w->forced));
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

int workspace_select(struct workdir *w, struct str name, struct diags *ds)
{
	if (!workdir_select(ds->arena, w, name))
		return 0;
	return diag_error(
		ds, NULL, "Error setting workspace",
		"The workspace %.*s could not be made the current one: %.*s/" WORKDIR_ENVIRONMENT
		": %s.",
		STR_ARG(name), STR_ARG(w->data_dir), io_why());
}
