/*
 * workspace.h - named states of one configuration: which is current, and the
 * rules for making and deleting them
 */
#ifndef TFPIPE_STATE_WORKSPACE_H
#define TFPIPE_STATE_WORKSPACE_H

#include "state/backend/backend.h"

/* Workspaces */
int workspace_list(struct backend *b, struct str_vec *out, struct diags *ds);
int workspace_new(struct backend *b, struct str name, struct diags *ds);
/* Deletes with everything in it; refused, without force, while it has managed
 * resources. lock: holds the workspace's lock while looking. */
int workspace_delete(struct backend *b, struct str name, bool force, bool lock,
		     uint64_t timeout_ms, struct diags *ds);
struct str workspace_current(struct arena *a, struct str data_dir);
int workspace_select(struct str data_dir, struct str name, struct diags *ds);
/* Is TF_WORKSPACE set? Its value is then the current workspace. */
bool workspace_overridden(struct str *name);
/* Can a workspace have the name that TF_WORKSPACE gives? */
int workspace_check(struct diags *ds);
/* A name that a URL shows as it is, and not "." or "..". */
bool workspace_name_valid(struct str name);

#endif
