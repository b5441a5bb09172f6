/* loader_int.h - what the files that load a configuration share */
#ifndef TFPIPE_CONFIG_LOADER_INT_H
#define TFPIPE_CONFIG_LOADER_INT_H

#include "config/load/load.h"

/* One run of the loader. */
struct loader {
	struct config *config;
	const struct config_options *opts;
	struct diags *ds;
	struct map manifest; /* "a.b" -> struct installed * */
	bool manifest_read;
	bool stopped; /* see stepwise: the root module is not looked at further */
	struct map dirs; /* -> struct cfg_file_vec *: the files, parsed, for
			      all calls that share them */
	struct map memo; /* values of early evaluation; static.c */
};

#endif
