/*
 * modules.h - installing the modules that a configuration calls
 *
 * Local modules are used in place, others are fetched into
 * DATA_DIR/modules/KEY; modules.json (config/source/manifest.h) records all of
 * them for later commands.
 */
#ifndef TFPIPE_INSTALL_MODULES_H
#define TFPIPE_INSTALL_MODULES_H

#include "config/load/load.h"
#include "install/hosts/hosts.h"

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

#endif
