/*
 * load.h - a configuration from files: the root module and, through its calls,
 * all installed modules
 */
#ifndef TFPIPE_CONFIG_LOAD_H
#define TFPIPE_CONFIG_LOAD_H

#include "config/config.h"

struct config_options {
	struct str dir;      /* working directory of the root module */
	struct str data_dir; /* TF_DATA_DIR, default ".terraform" */
	bool root_only;      /* do not follow module calls (init) */
	/* What a root module that is wrong calls is looked at all the same. */
	bool despite_root;
	/* What is told is what OpenTofu tells before it plans: it reads the
	 * root module's files for encryption and for the backend first, and
	 * stops where one of them is wrong, or what they say of values and of
	 * these. `repeat`: it also tells the warnings of that. */
	bool stepwise, repeat;
	/* Early evaluation of module sources and versions: values of root
	 * variables by name (-> const struct value *), and the functions.
	 * Where one of them is NULL, a source that needs it stays unknown
	 * without an error: then the installed module counts. */
	const struct map *variables;
	const struct func *(*function)(void *data, struct str name);
	struct str workspace; /* "default" when empty */
	/* init: where modules are (NULL: modules.json), called for each call;
	 * returns the directory, or STR_NONE after a diagnostic */
	struct str (*find)(void *data, struct cfg_call *call, struct diags *ds);
	/* The same: told of the calls of a module, (struct cfg_call *) by name,
	 * before the first of them is looked for; may be NULL. */
	void (*coming)(void *data, const struct map_entry *calls, size_t n);
	void *find_data;
};

/* Reads all files of the root module and of the installed modules
 * (modules.json) and checks them; every error of every file is reported.
 * Always returns a configuration (possibly incomplete). */
struct config *config_load(struct arena *a, const struct config_options *o,
			   struct diags *ds);

#endif
