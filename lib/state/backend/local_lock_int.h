/* local_lock_int.h - a POSIX lock on the state file, as OpenTofu takes it */
#ifndef TFPIPE_STATE_LOCAL_LOCK_INT_H
#define TFPIPE_STATE_LOCAL_LOCK_INT_H

#include "state/backend/backend_int.h"

/* local_lock.c */
enum lock_result local_lock(struct backend *b, struct lock_info *mine,
			    struct lock_info *holder, const char **why,
			    struct diags *ds);
int local_unlock(struct backend *b, struct diags *ds);
bool local_is_locked(struct backend *b, struct lock_info *holder);
int local_force_unlock(struct backend *b, struct str id, bool forced,
		       struct diags *ds);

#endif
