/*
 * module_hash.h - the hash of a module's package
 *
 * "h1:…" as of providers: the SHA-256 of lines with the SHA-256 and name of
 * each file.  A link counts by its target, with "@" after its name; git's own
 * directory (.git) does not count.  Copies of a package lack hidden files
 * (module_store.h), so there are two hashes.
 */
#ifndef TFPIPE_INSTALL_MODULE_HASH_H
#define TFPIPE_INSTALL_MODULE_HASH_H

#include "base/map.h"

struct module_hash {
	struct str all;
	struct str visible; /* the same where nothing is hidden */
};

/* known: digests of files in this run, which hard links share.  -1 with errno.
 * A package that has not changed since it was hashed is not read again
 * (provider/cache.h). */
int module_hash(struct arena *a, struct map *known, struct str dir,
		struct module_hash *out);

#endif
