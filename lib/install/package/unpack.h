/*
 * unpack.h - archives: packages of providers and of modules
 *
 * Whatever an archive says, nothing is written outside of the directory that it
 * is unpacked into.
 */
#ifndef TFPIPE_INSTALL_UNPACK_H
#define TFPIPE_INSTALL_UNPACK_H

#include "base/diag.h"

/* Loads what unpacking and hashing need, for processes that are forked to do
 * it. */
void unpack_load(void);
/* Unpacks the archive of a provider into a new directory dir, whose parent
 * exists; *hash is that of the package then, "h1:…".  It may hold files alone,
 * TFPIPE_MAX_PROVIDER_SIZE (in MiB) of them.  On failure dir is left behind
 * incomplete: see io_remove_tree.  If dir is empty, nothing is written. */
int unpack_zip(struct str archive, struct str dir, struct str *hash,
	       struct diags *ds);
/* The hash alone; STR_NONE where it could not be unpacked. */
struct str unpack_hash(struct arena *a, struct str archive);

/* The kind of archive that a file is by its name, "tar.gz"; STR_NONE: none. */
struct str unpack_kind(struct str name);
/* Is it the name of a kind? */
bool unpack_knows(struct str kind);
/* Unpacks a module of any kind; an empty kind is detected.  As in OpenTofu
 * links become files (zip: with the text of the link), and absolute paths are
 * taken as inside dir.  TFPIPE_MAX_MODULE_SIZE, in MiB, limits the size.  -1
 * with *why: a sentence without its full stop. */
int unpack_module(struct arena *a, struct str archive, struct str kind,
		  struct str dir, struct str *why);
int64_t unpack_module_limit(void); /* TFPIPE_MAX_MODULE_SIZE, in bytes */

#endif
