/* local_int.h - the local backend's parts: paths, file, lock */
#ifndef TFPIPE_STATE_LOCAL_INT_H
#define TFPIPE_STATE_LOCAL_INT_H

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

#endif
