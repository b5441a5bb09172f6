/*
 * cli_config.h - what of the user's CLI configuration file is about providers:
 * where packages are looked for
 *
 * The file is the one named by TF_CLI_CONFIG_FILE, else ~/.tofurc or
 * ~/.terraformrc.  Everything else in it is left to others.
 */
#ifndef TFPIPE_INSTALL_CLI_CONFIG_H
#define TFPIPE_INSTALL_CLI_CONFIG_H

#include "addr/addr.h"
#include "base/opts.h"

struct mirror {
	struct str dir;
	struct str_vec include, exclude; /* patterns; no include means all */
	bool implied; /* not configured: it need not exist */
};
struct mirror_vec VEC_OF(struct mirror);

struct cli_config {
	struct mirror_vec mirrors; /* in the order they are consulted */
	struct map overrides;      /* "host/ns/type" -> struct str *: a
	                              directory under development */
	struct str plugin_cache;   /* plugin_cache_dir; may be empty */
	struct sources sources;    /* for snippets */
};

/* Reads the file; without provider_installation the implied directories are
 * the mirrors.  A missing file is no error. */
int cli_config_read(struct arena *a, struct cli_config *out,
		    struct diags *ds);
/* May p come from the mirror? */
bool mirror_serves(const struct mirror *m, struct provider_addr p);

#endif
