/*
 * kept.h - packages of modules, kept for use in other directories
 *
 * Each is a directory in the cache (provider/cache.c), put into its place by
 * one rename and replaced, never changed, so that several processes may use it.
 * Those unused for a month are removed, and the least recently used while all
 * take more than TFPIPE_CACHE_SIZE (in MiB).  No failure here is an error.
 */
#ifndef TFPIPE_INSTALL_PACKAGE_KEPT_H
#define TFPIPE_INSTALL_PACKAGE_KEPT_H

#include <stdint.h>

#include "base/str.h"

/* --- directories --- */

/* The place for a key; STR_NONE: nothing is kept. */
struct str kept_place(struct arena *a, const char *kind, struct str key);
/* Does this user have one there?  Marks it as used now. */
bool kept_use(struct str place);
/* An empty directory beside the place, to be filled; STR_NONE: it cannot be. */
struct str kept_begin(struct arena *a, struct str place);
/* Puts it into its place. */
void kept_end(struct arena *a, struct str place, struct str dir);

/* --- archives --- */

struct kept_archive {
	struct str file; /* empty: there is none */
	struct str etag; /* may be empty */
};

/* Copies a kept archive into a new directory dir, which the caller removes.
 * Its bytes are checked to be those that were kept. */
void kept_archive_find(struct arena *a, struct str key, struct str dir,
		       struct kept_archive *out);
/* Is one there, as far as can be seen without reading it? */
bool kept_archive_there(struct arena *a, struct str key);
void kept_archive_put(struct arena *a, struct str key, struct str file,
		      struct str etag);

/*
 * owned_dir.c: temporary directories whose owner is known to be alive
 *
 * The process that makes one holds a lock of it (flock(2)) until it ends, for
 * whatever reason, and so do the processes that it forks.  Other processes
 * remove directories without a lock.  A young one counts as locked: it may be
 * between making and locking.
 */

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

/* tree_size.c: the size of directories */

/* The bytes of all regular files below; of what cannot be read, none. */
int64_t tree_size(const char *dir);

#endif
