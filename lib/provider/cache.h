/*
 * cache.h - files that only save time
 *
 * They lie below TFPIPE_CACHE_DIR, or XDG_CACHE_HOME/tfpipe, or
 * ~/.cache/tfpipe; an empty TFPIPE_CACHE_DIR means that nothing is kept.  A file
 * is found by a key of any bytes, is written whole or not at all, and may
 * vanish at any time.  Nothing that goes wrong here is an error.
 */
#ifndef TFPIPE_PROVIDER_CACHE_H
#define TFPIPE_PROVIDER_CACHE_H

#include <sys/stat.h>

#include "base/str.h"

/* DIR/KIND/KEY'S-HASH; STR_NONE when nothing is kept. */
struct str cache_path(struct arena *a, const char *kind, struct str key);
/* The content, mapped for the life of the process; STR_NONE: not there. */
struct str cache_read(struct str path);
/* The pieces one after the other. */
void cache_write(struct arena *a, struct str path, const struct str *pieces,
		 size_t n);
/* What tells one content of a file from another without reading it: size,
 * times, inode. */
struct str cache_identity(struct arena *a, const struct stat *st);

#endif
