/*
 * load.h - a configuration from files: the root module and, through its calls,
 * all installed modules
 */
#ifndef TFPIPE_CONFIG_LOAD_LOAD_H
#define TFPIPE_CONFIG_LOAD_LOAD_H

#include "config/config.h"
#include "schema/schema.h"

struct cfg_test_file_vec;
struct eval_local;
struct workdir;

struct config_options {
	struct str dir; /* of the root module; empty: the current one */
	const struct workdir *workdir; /* where its modules are; not NULL */
	struct str key; /* of it in modules.json, if it is not the root */
	bool root_only; /* do not follow module calls (init) */
	/* Load the called modules even if the root module has errors. */
	bool despite_root;
	/* Report what OpenTofu reports before it plans: it first reads the root
	 * module's files for encryption and for the backend, and stops if a
	 * file, or one of its values, encryption or backend blocks, has errors.
	 * `repeat`: repeat the warnings of that pass, too. */
	bool stepwise, repeat;
	/* Early evaluation of module sources and versions: values of root
	 * variables by name (-> const struct value *), and the functions.
	 * Without values a source that needs one stays unknown, without an
	 * error, and the installed module is used. */
	const struct map *variables;
	const struct func *(*function)(void *data, struct str name);
	/* init: where modules are (NULL: modules.json), called for each call;
	 * returns the directory, or STR_NONE after a diagnostic */
	struct str (*find)(void *data, struct cfg_call *call, struct diags *ds);
	/* init: receives the calls of a module, (struct cfg_call *) by name,
	 * before `find` is called for the first of them; may be NULL. */
	void (*coming)(void *data, const struct map_entry *calls, size_t n);
	void *find_data;
	/* Read the files of tests, also those in this directory, into
	 * *test_files (test.h), and load the modules of their runs.  The result
	 * has more modules then than the configuration, for requirements.
	 * Empty: they are not read. */
	struct str tests;
	struct cfg_test_file_vec *test_files;
	/* A test: changes what was loaded, before the provider configurations
	 * are checked; may be NULL. */
	void (*loaded)(void *data, struct config *c, struct diags *ds);
	void *loaded_data;
};

/* Reads all files of the root module and of the installed modules
 * (modules.json) and checks them; every error of every file is reported.
 * Always returns a configuration (possibly incomplete). */
struct config *config_load(struct arena *a, const struct config_options *o,
			   struct diags *ds);

/* files.c: the configuration files of a directory */

/* Does the current directory hold any configuration file?  -1: it cannot be
 * read. */
int files_present(void);
/* Does any file of the directory contain one of the words?  Lets callers skip
 * loading that looks only for blocks of these types. */
bool files_mention(const char *dir, const char *const *words);

/* static.c: early evaluation of blocks of the root module */

/* Evaluates an expression of the root module early, one of the block at `at`.
 * NULL after a diagnostic, or when a variable's value is not known.  `among`
 * has more values, by their root names; NULL: none. */
const struct value *config_static_value(
	struct config *c, const struct config_options *o, struct expression e,
	const struct eval_local *among, const char *subject,
	const struct range *at, struct diags *ds);

struct static_body {
	const char *subject;    /* whose arguments they are: "backend.s3" */
	const struct range *at; /* the block's header */
	/* Only references that cannot be evaluated are errors; of the rest,
	 * unsupported arguments for instance, the value is made up. */
	bool lenient;
};

/* Decodes a body early: with variables, locals, path and terraform.workspace.
 * NULL after a diagnostic, or when a variable's value is not known. */
const struct value *config_static_body(struct config *c,
				       const struct config_options *o,
				       const struct body *b,
				       const struct schema_block *schema,
				       const struct static_body *what,
				       struct diags *ds);

/* static_use.c: sources of modules, evaluated early again */

/* A stage that was given the configuration by another: do the sources and
 * versions of modules mean the same with the values that it goes by?  What
 * cannot be evaluated any more, as a file that is not there, counts as the
 * same.  -1: diagnosed. */
int config_check_sources(struct config *c, const struct config_options *o,
			 struct diags *ds);

#endif
