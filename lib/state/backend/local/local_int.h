/* local_int.h - the local backend's parts: paths, file, lock */
#ifndef TFPIPE_STATE_BACKEND_LOCAL_LOCAL_INT_H
#define TFPIPE_STATE_BACKEND_LOCAL_LOCAL_INT_H

#include "state/backend/backend_int.h"

struct local {
	/* Paths, NUL-terminated. */
	struct str read_path;
	struct str write_path;
	struct str backup_path;   /* empty: no backup */
	struct str info_path;     /* lock info */
	struct str workspace_dir; /* as given */
	bool split;               /* read and write paths differ */

	int fd;       /* the locked file, or -1 */
	bool created; /* locking made the file */
};

/* local_file.c: the state file itself: read whole, overwritten in place */

/* Is the open file still the one at the path? */
bool local_is_at(int fd, const char *path);
int local_fetch(struct backend *b, struct str *out, struct diags *ds);
int local_fetch_target(struct backend *b, struct str *out, struct diags *ds);
int local_store(struct backend *b, struct str text, struct diags *ds);
int local_backup(struct backend *b, struct str text, struct diags *ds);
/* Opens the write path, its directories made; *created: it was not there. */
int local_open_target(struct local *l, bool *created);

/* local_lock.c: a POSIX lock on the state file, as OpenTofu takes it */

/* local_lock.c */
enum lock_result local_lock(struct backend *b, struct lock_info *mine,
			    struct lock_info *holder, const char **why,
			    struct diags *ds);
int local_unlock(struct backend *b, struct diags *ds);
bool local_is_locked(struct backend *b, struct lock_info *holder);
int local_force_unlock(struct backend *b, struct str id, bool forced,
		       struct diags *ds);

#endif
