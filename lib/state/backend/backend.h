/*
 * backend.h - where state lives: one interface, one file each in backends/
 *
 * A backend opens a workspace's state: read, lock, write, unlock.  Only the
 * local one exists in this folder's first version; http, pg, s3 and others fit
 * behind the same operations.
 */
#ifndef TFPIPE_STATE_BACKEND_H
#define TFPIPE_STATE_BACKEND_H

#include "state/state.h"

struct lock_info { /* lock.info as OpenTofu writes it */
	struct str id, operation, info, who, version, created, path;
};

struct backend_options {
	struct str dir;          /* working directory */
	struct str data_dir;     /* .terraform or TF_DATA_DIR */
	struct str state_path;   /* -state; empty: config or default */
	struct str state_out;    /* -state-out; empty: as state_path */
	struct str backup_path;  /* -backup; "-" disables; empty: default */
	struct str workspace;    /* TF_WORKSPACE or the selected one */
	struct str backend_type; /* empty: local */
	const struct value *config; /* the backend block's; may be NULL */
	/* Called once while waiting for the lock takes longer than a moment;
	 * may be NULL. */
	void (*waiting)(void *data);
	void *waiting_data;
};

/* Fills backend_type and config from what `init` left in data_dir, if
 * anything. */
int backend_saved(struct arena *a, struct backend_options *o,
		  struct diags *ds);

struct backend; /* an opened workspace */

struct backend *backend_open(struct arena *a, const struct backend_options *o,
			     struct diags *ds);
void backend_close(struct backend *b);
/* The state as messages name it: its path. */
struct str backend_name(const struct backend *b);

/* Takes the lock, waiting up to timeout_ms. On failure the diagnostic says who
 * holds it ("Error acquiring the state lock"). */
int backend_lock(struct backend *b, const char *operation,
		 uint64_t timeout_ms, struct diags *ds);
/* "10s", "1m30s", "500ms": what -lock-timeout takes. */
int lock_timeout_parse(struct str text, uint64_t *ms);
/* The same of the option, which may be empty: no time at all. */
int lock_timeout_option(struct str text, uint64_t *ms, struct diags *ds);
int backend_unlock(struct backend *b, struct diags *ds);
/* What cannot be forced is an error; ask people first unless `forced`. */
int backend_force_unlock(struct backend *b, struct str id, bool forced,
			 struct diags *ds);
/* For tf-state with-lock: the token to hand to children in the environment
 * (TFPIPE_LOCK_TOKEN), and its check.  Whoever adopts the lock takes the token
 * out of its environment: a provisioner of an apply must not write the state
 * under the apply's lock.  backend_read adopts by itself. */
struct str backend_lock_token(const struct backend *b);
int backend_adopt_lock(struct backend *b, struct str token, struct diags *ds);

/* The state, with the journal of an interrupted run replayed (outcomes are
 * recovered and written; operations of unknown outcome become warnings). A
 * missing file gives an empty state. */
struct state *backend_read(struct backend *b, struct diags *ds);
/* Did a run that wrote here leave its journal behind?  Then reading recovers
 * what it did, and may write. */
bool backend_interrupted(const struct backend *b);
/* Was there a state when it was last read: one that was stored, or that was
 * recovered from a journal? */
bool backend_exists(const struct backend *b);
/* Writes if content differs from what was read: serial + 1, lineage made when
 * empty, backup of the previous content once.  Journal is cleared. */
int backend_write(struct backend *b, struct state *s, struct diags *ds);
/* As backend_write without comparison, for push. */
int backend_push(struct backend *b, struct state *s, bool force,
		 struct diags *ds);

/* The journal: intent before an apply call goes out, outcome after.  Records
 * are appended at once and synced by journal_sync (once a loop turn).  Every
 * change of an instance in the state is an outcome, also one that no provider
 * made: an object that is deposed is the outcome of its deposed key first, then
 * the current one's (NULL) or its replacement's. These and journal_sync return
 * -1 with errno set.  backend_read (or a write) comes first.
 *
 * After journal_batch outcomes are kept back until journal_flush (or an intent,
 * or journal_sync) writes all of them: for who calls it before telling
 * anyone. */
void journal_batch(struct backend *b);
int journal_intent(struct backend *b, struct str address, struct str deposed,
		   const char *action);
int journal_outcome(struct backend *b, const struct state_resource *r,
		    const struct state_instance *i /* NULL: gone */,
		    struct str address, struct str deposed);
/* An outcome as a prior_state record has it: what planning found refreshed,
 * upgraded or moved is journalled before the first operation, so that outcomes
 * after it are recovered onto the same state. */
int journal_record(struct backend *b, struct str line);
/* A root output has this value now; NULL: it is gone. */
int journal_output(struct backend *b, const struct state_output *out);
int journal_flush(struct backend *b);
/* The lines that a failing journal_flush has kept, each ended by a newline. */
struct str journal_unwritten(const struct backend *b);
int journal_sync(struct backend *b);

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
