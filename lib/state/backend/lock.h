/* lock.h - taking, describing and handing on the lock of a state */
#ifndef TFPIPE_STATE_LOCK_H
#define TFPIPE_STATE_LOCK_H

#include "state/backend/backend.h"

/* A lineage for a state that is saved for the first time: a random UUID. */
struct str state_new_lineage(struct arena *a);
/* What it is opened for (opts.operation), before anything is asked. */
void backend_set_operation(struct backend *b, const char *operation);
/* Takes the lock, waiting up to timeout_ms. On failure the diagnostic says who
 * holds it ("Error acquiring the state lock"). */
int backend_lock(struct backend *b, const char *operation, uint64_t timeout_ms,
		 struct diags *ds);
/* "10s", "1m30s", "500ms": what -lock-timeout takes. */
int lock_timeout_parse(struct str text, uint64_t *ms);
/* What -lock-timeout says; empty: no time at all. */
int lock_timeout_option(struct str text, uint64_t *ms, struct diags *ds);
int backend_unlock(struct backend *b, struct diags *ds);
/* Returns an error if the lock cannot be forced; ask people first unless
 * `forced`. */
int backend_force_unlock(struct backend *b, struct str id, bool forced,
			 struct diags *ds);
/* Who runs others under its lock, as tf-state with-lock, hands them its token
 * in the environment, as LOCK_TOKEN.  Empty: the lock is not held, or cannot be
 * handed on. */
struct str backend_lock_token(const struct backend *b);
#define LOCK_TOKEN "TFPIPE_LOCK_TOKEN"
/* The token that this program was given, which is gone with lock_token_set;
 * empty: none. */
struct str lock_token(void);
/* What programs that are started from here on are given; empty: none. */
void lock_token_set(struct arena *a, struct str token);
/* Takes the lock that the token is of for its own, and forgets the token: a
 * provisioner of an apply must not write the state under the apply's lock.
 * backend_read adopts by itself. */
int backend_adopt_lock(struct backend *b, struct str token, struct diags *ds);

#endif
