/*
 * kept.h - packages of modules that were fetched once, for other directories
 *
 * They lie where all is that only saves time (provider/cache.h), a directory
 * each, which comes into its place by one rename and is replaced, never
 * changed, so that several may use it.  What nobody used for a month goes, and
 * what was not used for longest where all takes more than TFPIPE_CACHE_SIZE (in
 * MiB).  Nothing that fails here is an error.
 */
#ifndef TFPIPE_INSTALL_KEPT_H
#define TFPIPE_INSTALL_KEPT_H

#include "base/str.h"

/* --- directories --- */

/* Where something is kept; STR_NONE: nowhere. */
struct str kept_place(struct arena *a, const char *kind, struct str key);
/* Is something of this user's there?  Then it is used. */
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

/* Puts a copy of what is kept into a new directory dir, which is the caller's
 * to remove.  Its bytes are those that were kept. */
void kept_archive_find(struct arena *a, struct str key, struct str dir,
		       struct kept_archive *out);
void kept_archive_put(struct arena *a, struct str key, struct str file,
		      struct str etag);

#endif
