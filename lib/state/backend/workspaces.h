/*
 * workspaces.h - workspaces listed, made, selected and deleted, of a backend
 * and as the `workspace` commands do it
 *
 * An access must be open unless said otherwise (access.c); a->o.workspace is
 * the current one.  Functions return 0, or -1 after a diagnostic.
 */
#ifndef TFPIPE_STATE_BACKEND_WORKSPACES_H
#define TFPIPE_STATE_BACKEND_WORKSPACES_H

#include "state/backend/backend.h"
#include "base/diag.h"

/* Can a workspace have that name? */
int workspace_check_name(struct str name, struct diags *ds);

/* Are there others than the default one, as the backend is set up? */
bool workspace_several(const struct backend *b);
/* What the host calls a workspace: the name of the only one, or a text with a
 * `*` for its name here.  Empty: what we call it. */
struct str workspace_pattern(const struct backend *b);
/* Init has chosen it: it is made where it must be there.  Nothing may have been
 * read of b yet; unless it was opened for that workspace it is good for nothing
 * but closing afterwards. */
int workspace_prepare(struct backend *b, struct str name, struct diags *ds);
/* The names of all, the default one first, if there is one. */
int workspace_list(struct backend *b, struct str_vec *out, struct diags *ds);
int workspace_new(struct backend *b, struct str name, struct diags *ds);
/* What makes one whose state is an object that has to be there: stores an empty
 * state, under its lock, unless somebody else does. */
int workspace_make_empty(struct backend *b, struct str name, struct diags *ds);
/* What that stores, for one that needs no lock to do so: a state without
 * anything in it, sealed.  Good until b stores another. */
int workspace_empty_text(struct backend *b, struct str *text, struct diags *ds);
/* The object of a workspace in a store that has PREFIX/KEY for the default one
 * and PREFIX/NAME/KEY for others; the name of another from that, or empty. */
struct str workspace_object(struct arena *a, struct str prefix, struct str key,
			    struct str workspace);
struct str workspace_of_object(struct arena *a, struct str prefix,
			       struct str key, struct str object);
/* Deletes with everything in it; refused, without force, while it has managed
 * resources. lock: holds the workspace's lock while looking. */
int workspace_delete(struct backend *b, struct str name, bool force, bool lock,
		     uint64_t timeout_ms, struct diags *ds);

/* Opens the current workspace, makes another and selects that. */
int workspace_make(struct state_access *a, struct str name);
/* The new workspace starts with a copy of the state in file: closes the current
 * one, opens and locks the new one. */
int workspace_fill(struct state_access *a, struct str name, struct str file);

/* Selects it.  *made: it was not there, and create says that it is made
 * then.  1: it is the current one, and nothing was done. */
int workspace_change(struct state_access *a, struct str name, bool create,
		     bool *made);
/* Deletes it, which is not the current one: see workspace_delete. */
int workspace_remove(struct state_access *a, struct str name, bool force);

/*
 * workspace.c: named states of one configuration: what they may be called, and
 * which one is selected (workdir.h)
 */

/* Reports a name that cannot be the current one. */
int workspace_check_current(struct str name, struct diags *ds);
int workspace_select(struct workdir *w, struct str name, struct diags *ds);
/* Can a workspace have the name that TF_WORKSPACE gives? */
int workspace_check(const struct workdir *w, struct diags *ds);
/* A name that a URL shows as it is, and not "." or "..". */
bool workspace_name_valid(struct str name);

#endif
