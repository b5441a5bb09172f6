/*
 * init.h - what `init` does: the backend, modules and providers, one after
 * another, for the root module in the working directory
 *
 * The parts are those of backend_init.h, modules.h and providers.h; here is
 * their order, and which failure ends it.  Progress is reported as news,
 * without texts: ui/live/init_live.h has those.
 */
#ifndef TFPIPE_INSTALL_INIT_H
#define TFPIPE_INSTALL_INIT_H

#include "base/workdir.h"
#include "config/load/load.h"
#include "engine/run/inputs.h"
#include "install/backend_init.h"
#include "install/hosts/login.h"
#include "install/providers/providers.h"
#include "stream/stream.h"

enum init_step {
	INIT_COPYING,       /* -from-module; name: the source, no secrets */
	INIT_COPIED_MODULE, /* name: the key of one that came with it */
	INIT_COPIED,
	INIT_BACKEND,       /* is looked at, */
	INIT_CLOUD,         /* which the block cloud says */
	INIT_BACKEND_NEWS,  /* backend */
	INIT_BACKEND_SET,   /* to `name` */
	INIT_BACKEND_UNSET, /* from `name` to the default */
	INIT_MODULES,       /* before the first */
	INIT_MODULES_NEWER, /* the same, of an upgrade */
	INIT_DOWNLOADING,   /* name: the module's key; package, version */
	INIT_MODULE,        /* is installed; name: the key; dir */
	INIT_PROVIDER,      /* provider */
	INIT_MIRRORED,      /* -make-vendor; line: progress of providers */
	INIT_VENDORED,      /* the same; dir */
};

struct init_news {
	enum init_step step;
	struct str name, package, version, dir;
	const struct backend_news *backend;
	const struct provider_news *provider;
	const char *line;
};

enum init_outcome {
	INIT_DONE,
	INIT_EMPTY,         /* there is no configuration, and nothing to do */
	INIT_PART,          /* only modules or a folder were wanted */
	INIT_LISTED,        /* variables without a value, in missing_file */
	INIT_PASSED,        /* a stage before has failed, and said why */
	INIT_FAILED,        /* diagnosed */
	INIT_CONFIG_FAILED, /* the configuration cannot be read; diagnosed */
};

struct init {
	/* the request; members are named like options */
	struct str from_module, missing_file, lock_timeout;
	struct str test_dir; /* of tests; empty: tests */
	struct str_vec backend_config, plugin_dirs, platforms;
	bool upgrade, get, backend, get_only, reconfigure, migrate_state,
		force_copy, ignore_remote, lock, lock_modules, make_vendor;
	bool input;             /* may prompt, also for passwords */
	bool readonly;          /* -lockfile=readonly */
	struct str vendor_dir;  /* of make_vendor */
	struct input_arg *args; /* -var and -var-file */
	size_t nargs;
	/* The configuration is that of the stream on standard input, which is
	 * copied there but for its `end`; NULL: that of the directory. */
	struct stream_out *stream;
	void (*told)(void *data, const struct init_news *n);
	init_ask_fn *ask; /* with `data`; not called unless `input` */
	void *data;

	/* the result */
	struct hosts hosts;    /* the caller ends them: hosts_end */
	struct config *config; /* for snippets; NULL: nothing was loaded */

	/* private */
	struct arena *arena;
	struct workdir workdir;
	struct diags *ds, early; /* early: warnings about the root module */
	struct lockfile locks;
	struct config_options o;
	struct map variables;
	struct state *state;           /* of the stream; NULL: it has none */
	struct encryption *encryption; /* of states; NULL: none */
	struct backend *current; /* open since the backend was set; or NULL */
};

/* Does all of it.  ds gets warnings, and errors on failure only. */
enum init_outcome init_run(struct arena *a, struct init *t, struct diags *ds);

#endif
