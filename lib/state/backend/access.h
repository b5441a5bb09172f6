/*
 * access.h - how commands access a workspace's state: open, lock, read, close
 *
 * The caller sets what its options say, and which workspace (a->o); diagnostics
 * go to a->ds.  Functions return 0, or -1 after a diagnostic; whatever was
 * done, state_access_close undoes it.
 */
#ifndef TFPIPE_STATE_ACCESS_H
#define TFPIPE_STATE_ACCESS_H

#include "state/backend/backend.h"

struct state_access {
	struct arena *arena;
	struct diags *ds;
	struct backend_options o;
	bool lock;          /* the state is locked where an operation asks */
	struct str timeout; /* of the lock, as given; or empty */

	struct backend *b; /* NULL: not open */
	struct state *s;   /* NULL: not read */
};

int state_access_open(struct state_access *a);
/* Takes the lock unless a->lock says no, or adopts the parent's
 * (TFPIPE_LOCK_TOKEN) if that is of the same state.  operation: what for. */
int state_access_lock(struct state_access *a, const char *operation);
/* All three; operation NULL: without the lock.  A state that is not there is
 * empty. */
int state_access_read(struct state_access *a, const char *operation);
/* Opens and reads; a state that is not there is an error. */
int state_access_need(struct state_access *a, const char *operation);
/* Unlocks and closes; a can be opened again. */
int state_access_close(struct state_access *a);

/* Call before opening: sets the backup that edits make unless an option names
 * one, FILE.SECONDS.backup.  An option for none does not count. */
void state_access_edit_backup(struct state_access *a);

#endif
