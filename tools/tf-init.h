/*
 * tf-init.h - what tf-init was asked for
 */
#ifndef TFPIPE_TF_INIT_H
#define TFPIPE_TF_INIT_H

#include "base/opts.h"
#include "engine/run/inputs.h"
#include "install/hosts/hosts.h"
#include "ui/live/status.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str dir, lockfile, lock_timeout, json_into, missing_file;
	struct str from_module;
	struct str_vec rest, given, vars, var_files, plugin_dirs;
	struct str_vec backend_config;
	bool json, no_color, upgrade, update, get, backend, cloud, get_only;
	bool reconfigure, migrate_state, force_copy, lock, consolidate;
	bool lock_modules, make_vendor;
	struct str_vec platforms;
	bool ignored, input;
	struct input_arg *args;
	size_t nargs;
	struct config_options o;
	struct map variables;
	struct config *config;
	struct hosts hosts;
	struct out out, err, into_out;
	struct view v, into;
	struct status status;
	uint64_t progress_ms; /* the last message of it, or the first news */
};

/* Reads the options, changes into the directory, readies the views.  -1: go on;
 * else the exit status, after the errors were said. */
int init_options(struct tool *t, int argc, char **argv);
/* Says what was found so far. */
void init_diags(struct tool *t);
/* Loads the root module alone, and the values of its variables.  1: those that
 * have none were listed, which was all there was to do. */
int init_load_root(struct tool *t);
/* What is said of a package of a module that is fetched (modules.h). */
void init_downloading(void *data, struct str key, struct str package,
		      struct str version);

/* --- init_from_module.c --- */

/* Fills the directory with -from-module and installs what that calls.  On
 * failure the directory is as before. */
int init_from_module(struct tool *t);

/* init_progress.c: from now on it is said how much has come of what is fetched:
 * on a line of the terminal, and in messages. */
void init_progress(struct tool *t);

/* --- init_vendor.c --- */

/* Copies all modules and providers into the directory that is the operand. */
int init_make_vendor(struct tool *t);

#endif
