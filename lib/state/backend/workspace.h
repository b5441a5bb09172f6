/*
 * workspace.h - named states of one configuration: which is current, and what
 * they may be called
 */
#ifndef TFPIPE_STATE_WORKSPACE_H
#define TFPIPE_STATE_WORKSPACE_H

#include "base/diag.h"

struct str workspace_current(struct arena *a, struct str data_dir);
int workspace_select(struct str data_dir, struct str name, struct diags *ds);
/* Is TF_WORKSPACE set? Its value is then the current workspace. */
bool workspace_overridden(struct str *name);
/* Can a workspace have the name that TF_WORKSPACE gives? */
int workspace_check(struct diags *ds);
/* A name that a URL shows as it is, and not "." or "..". */
bool workspace_name_valid(struct str name);

#endif
