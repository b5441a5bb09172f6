/*
 * unpack.h - archives: packages of providers and of modules
 *
 * Whatever an archive says, nothing is written outside of the directory that it
 * is unpacked into.
 */
#ifndef TFPIPE_INSTALL_PACKAGE_UNPACK_H
#define TFPIPE_INSTALL_PACKAGE_UNPACK_H

#include "base/diag.h"
#include "base/loop.h"
#include "base/str.h"

struct workers;

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

/*
 * workers.c: work that keeps a processor busy, or waits for others, in
 * processes beside this one
 *
 * A worker is a fork of this process, so it has all that this one had when it
 * began; it returns its results as text.  A limited number work at a time, the
 * others wait.  A worker gets no signals from the terminal; workers_free ends
 * it.  Its results belong to this process once `done` has returned: if this
 * process ends before, for whatever reason, the worker undoes them.
 */

struct work {
	/* In the worker, which ends without its process's at-exit work. */
	void (*work)(void *data, struct buf *answer);
	/* In the worker, if the process that asked is gone: undoes it. */
	void (*undo)(void *data);
	/* In the loop, once.  An empty answer: the worker was killed, or none
	 * could be made. */
	void (*done)(void *data, struct str answer);
	void *data;
};

/* most: at a time; 0: as many as there are processors. */
struct workers *workers_new(struct arena *a, struct loop *l, size_t most);
/* How many work at a time. */
size_t workers_most(const struct workers *ws);
void workers_start(struct workers *ws, const struct work *w);
/* Kills those at work, who undo nothing, and waits for them.  NULL is fine. */
void workers_free(struct workers *ws);

#endif
