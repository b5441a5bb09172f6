/*
 * modules.h - installing the modules that a configuration calls
 *
 * Local modules are used in place, others are fetched into
 * DATA_DIR/modules/KEY; modules.json (config/source/manifest.h) records all of
 * them for later commands.
 */
#ifndef TFPIPE_INSTALL_MODULES_MODULES_H
#define TFPIPE_INSTALL_MODULES_MODULES_H

#include "config/load/load.h"
#include "install/hosts/login.h"
#include "base/str.h"
#include "base/vec.h"

/* A package that was fetched, whole; texts without secrets. */
struct fetched_module {
	struct str address, version; /* of the package */
	struct str subdir;           /* the module's path, by its registry */
	struct str dir;
};

struct install_modules_options {
	bool upgrade; /* look at every module again */
	/* Only installs: if a module cannot be loaded, modules.json is not
	 * written; other errors of the configuration are warnings. */
	bool modules_alone;
	bool readonly; /* the lock file of modules is not changed */
	bool lock;     /* it is made, with what is used and nothing else */
	bool input;    /* may prompt for names and passwords */
	struct hosts *hosts;
	/* Called before a package is fetched; its address has no secrets.  May
	 * be NULL. */
	void (*downloading)(void *data, struct str key, struct str package,
			    struct str version);
	/* Called for each module that was not installed before; may be
	 * NULL. */
	void (*installed)(void *data, struct str key, struct str dir);
	/* Called for each package that was fetched, or copied from one that
	 * was, which comes first; not for directories of this machine.  May be
	 * NULL. */
	void (*fetched)(void *data, const struct fetched_module *f);
	void *data;
};

/* Installs all modules and loads the whole configuration.  o->find is set by
 * this function.  Always returns a configuration (possibly incomplete). */
struct config *install_modules(struct arena *a, const struct config_options *o,
			       const struct install_modules_options *i,
			       struct diags *ds);

/* from_module.c: an empty directory filled with a module: init -from-module */

struct from_module_options {
	struct str source; /* as written; ./ and ../ from here */
	const struct workdir *workdir;
	const struct config_options *config; /* how sources are evaluated */
	bool input;
	struct hosts *hosts;
};

struct from_module {
	const struct workdir *workdir;
	struct str_vec copied;      /* names in the directory */
	bool had_modules, had_data; /* existed in DATA_DIR before */
};

/* Fetches the module and copies it into the current directory, without hidden
 * files.  -1 after a diagnostic; then the directory is as before. */
int from_module_copy(struct arena *a, const struct from_module_options *o,
		     struct from_module *out, struct diags *ds);
/* Removes again what was copied, and the modules that came with it. */
void from_module_undo(struct arena *a, const struct from_module *f);

/*
 * vendor.c: a folder with all packages of a configuration
 *
 * 	DIR/modules/index.json		what the packages are
 * 	DIR/modules/NAME-DIGEST		a package, without what git keeps
 * 	DIR/providers			a filesystem mirror
 *
 * If TFPIPE_VENDOR_DIR names one, packages come from it only.
 */

struct vendored {
	struct str address; /* of the package, without secrets */
	struct str version; /* of a registry's module; else empty */
	struct str subdir;  /* the module's path, by its registry */
	struct str dir;     /* a name in DIR/modules */
};

struct vendor {
	struct str dir; /* empty: there is none */
	VEC(struct vendored) packages;
};

/* Reads the index of vendor_place().  0, or -1 with *why, a sentence without
 * its full stop. */
int vendor_open(struct arena *a, struct vendor *v, struct str *why);
const struct vendored *vendor_find(const struct vendor *v, struct str address,
				   struct str version);
/* The answer that a registry with the vendored versions would give. */
struct str vendor_versions(struct arena *a, const struct vendor *v,
			   struct str address);
/* Copies the package into a new directory. */
int vendor_copy(struct arena *a, const struct vendor *v,
		const struct vendored *p, struct str to, struct str *why);

/* --- making one --- */

/* Adds the package in `from` to v->dir, whose `modules` is being made, and
 * chooses its dir.  A package that exists there stays. */
int vendor_add(struct arena *a, struct vendor *v, struct vendored p,
	       struct str from, struct str *why);
int vendor_write(struct arena *a, struct vendor *v, struct str *why);

#endif
