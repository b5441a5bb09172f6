/*
 * kept.h - packages of modules, kept for use in other directories
 *
 * Each is a directory in the cache (provider/cache.h), put into its place by
 * one rename and replaced, never changed, so that several processes may use it.
 * Those unused for a month are removed, and the least recently used while all
 * take more than TFPIPE_CACHE_SIZE (in MiB).  No failure here is an error.
 */
#ifndef TFPIPE_INSTALL_KEPT_H
#define TFPIPE_INSTALL_KEPT_H

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

#endif
