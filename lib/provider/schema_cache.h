/* schema_cache.h - schemas of providers: kept, read again, confirmed */
#ifndef TFPIPE_PROVIDER_SCHEMA_CACHE_H
#define TFPIPE_PROVIDER_SCHEMA_CACHE_H

#include <sys/stat.h>

#include "base/str.h"
#include "provider/provider.h"

struct provider_source;

/*
 * cache.c: files that only save time
 *
 * They are below TFPIPE_CACHE_DIR, or XDG_CACHE_HOME/tfpipe, or
 * ~/.cache/tfpipe; an empty TFPIPE_CACHE_DIR means that nothing is kept.  A
 * file is found by a key of any bytes, is written whole or not at all, and may
 * vanish at any time.  No failure here is an error.
 *
 * A file is named by a short hash of its key and begins with the key, "LENGTH
 * KEY" and a line feed: of two keys with one hash the last written is kept.
 */

/* The directory of all of them; empty: nothing is kept. */
struct str cache_directory(struct arena *a);

struct cache_file {
	struct str path; /* DIR/KIND/HASH; empty: nothing is kept */
	struct str key;
};

/* kind: a directory's name. */
struct cache_file cache_file(struct arena *a, const char *kind, struct str key);
/* The content, mapped for the life of the process; STR_NONE: not there. */
struct str cache_read(struct cache_file f);
/* The pieces one after the other. */
void cache_write(struct arena *a, struct cache_file f, const struct str *pieces,
		 size_t n);
/* Identifies the content of a file without reading it: size, times, inode. */
struct str cache_identity(struct arena *a, const struct stat *st);

/* schema_json.c: schemas in the shape that `providers schema -json` has */

/* The published schema shape (providers schema -json).  Reading: NULL if j does
 * not have that shape; the texts stay in j. */
void schema_block_json(struct jw *w, const struct schema_block *b);
const struct schema_block *schema_block_from_json(struct arena *a,
						  const struct json *j);

/*
 * schema_confirm.c: is the schema that an earlier run kept still the
 * provider's?
 */

/* Waits until every provider that was opened, and of which a kept schema was
 * used, has said whether it is still so (src->changed).  -1 with
 * diagnostics. */
int provider_source_confirm(struct provider_source *src, struct loop *loop,
			    struct diags *ds);
/* Do two answers say the same, in whatever order their parts are? */
bool schema_answer_same(struct str x, struct str y);

#endif
