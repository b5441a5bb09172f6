/*
 * module_guard.h - holds the packages of modules to the lock file for them
 *
 * Without the file nothing is checked, unless it is to be created.  A package
 * that is a link to a local directory has no lock: its content may change.
 */
#ifndef TFPIPE_INSTALL_MODULE_GUARD_H
#define TFPIPE_INSTALL_MODULE_GUARD_H

#include "base/map.h"
#include "install/modules/git.h"
#include "install/modules/module_locks.h"

struct module_guard_options {
	struct str data_dir;
	bool create;     /* make the file, with what is used and nothing else */
	bool upgrade;    /* ignore its content */
	bool readonly;   /* it is not changed */
	struct git *git; /* gives commits */
};

struct module_guard {
	struct arena *a;
	struct module_guard_options o;
	bool on;
	struct module_locks locks;
	/* The file as of the time of installation: distinguishes a package that
	 * was changed from one whose lock is another now. */
	struct module_locks before;
	struct map digests;
};

/* The package to check, whose version may be empty, in dir, for the module
 * whose path is `path`. */
struct guarded {
	struct str path, package, version, dir;
	bool fetched; /* now */
};

int module_guard_start(struct arena *a, struct module_guard *g,
		       const struct module_guard_options *o, struct diags *ds);
/* The version of a registry's module that the lock file has: the newest that
 * the constraints, which may be empty, allow; STR_NONE: none. */
struct str module_guard_version(const struct module_guard *g,
				struct str package, struct str constraints);
/* The commit of a repository; may be empty. */
struct str module_guard_commit(const struct module_guard *g,
			       struct str package);
/* 0: the package may be used.  1: it is installed, but there is another lock
 * for it now: it has to be fetched again.  -1 after a diagnostic. */
int module_guard_check(struct module_guard *g, const struct guarded *p,
		       struct diags *ds);
/* Is the package a local directory, or a copy of one? */
bool module_guard_own(const struct module_guard *g, const struct guarded *p);
/* Writes the lock file, if it changed, and its copy. */
int module_guard_end(struct module_guard *g, struct diags *ds);

#endif
