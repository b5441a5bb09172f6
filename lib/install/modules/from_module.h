/*
 * from_module.h - an empty directory filled with a module: init -from-module
 */
#ifndef TFPIPE_INSTALL_FROM_MODULE_H
#define TFPIPE_INSTALL_FROM_MODULE_H

#include "base/opts.h"
#include "config/load/load.h"
#include "install/hosts/hosts.h"

struct from_module_options {
	struct str source; /* as written; ./ and ../ from here */
	struct str data_dir;
	const struct config_options *config; /* how sources are evaluated */
	bool input;
	struct hosts *hosts;
};

struct from_module {
	struct str data_dir;
	struct str_vec copied;      /* names in the directory */
	bool had_modules, had_data; /* existed in DATA_DIR before */
};

/* Fetches the module and copies it into the current directory, without hidden
 * files.  -1 after a diagnostic; then the directory is as before. */
int from_module_copy(struct arena *a, const struct from_module_options *o,
		     struct from_module *out, struct diags *ds);
/* Removes again what was copied, and the modules that came with it. */
void from_module_undo(struct arena *a, const struct from_module *f);

#endif
