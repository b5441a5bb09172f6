/*
 * owned_dir.h - temporary directories whose owner is known to be alive
 *
 * The process that makes one holds a lock of it (flock(2)) until it ends, for
 * whatever reason, and so do the processes that it forks.  Other processes
 * remove directories without a lock.  A young one counts as locked: it may be
 * between making and locking.
 */
#ifndef TFPIPE_INSTALL_OWNED_DIR_H
#define TFPIPE_INSTALL_OWNED_DIR_H

#include "base/str.h"

struct owned_dir {
	struct str path;
	int fd; /* has the lock */
};

/* Makes a directory of a name that cannot be guessed, mode 0700, in TMPDIR or
 * /tmp.  0, or -1 with errno; the path is what errors are about, too. */
int owned_dir_make(struct arena *a, struct owned_dir *d);
/* Removes it with all that is in it, and gives the lock back. */
void owned_dir_remove(struct owned_dir *d);
/* Removes this user's directories whose owner is gone. */
void owned_dir_sweep(struct arena *a);

#endif
