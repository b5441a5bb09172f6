/*
 * manifest.h - DATA_DIR/modules/modules.json: where installed modules are
 *
 * The file has OpenTofu's format, so that either program can use what the
 * other installed.
 */
#ifndef TFPIPE_CONFIG_MANIFEST_H
#define TFPIPE_CONFIG_MANIFEST_H

#include "config/config.h"

struct workdir;

struct installed {
	struct str key;     /* "a.b" for module.a.module.b; "" is the root */
	struct str source;  /* as struct cfg_call.source */
	struct str version; /* may be empty */
	struct str dir;     /* relative to the root's; empty: there was none */
};

/* Reads the file into out (key -> struct installed *).  That there is none is
 * no error. */
int manifest_read(struct arena *a, const struct workdir *w, struct map *out,
		  struct diags *ds);
/* Writes it, sorted by key, making the directory.  Keys without a record are
 * left out. */
int manifest_write(struct arena *a, const struct workdir *w,
		   const struct map *records, struct diags *ds);
/* "a.b" */
struct str manifest_key(struct arena *a, const struct cfg_module *caller,
			struct str call);

#endif
