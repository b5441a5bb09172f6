/*
 * backend_config.h - the backend that a configuration asks for, and whether it
 * is the one that was initialised (saved.h)
 */
#ifndef TFPIPE_STATE_BACKEND_CONFIG_H
#define TFPIPE_STATE_BACKEND_CONFIG_H

#include "base/opts.h"
#include "config/load/load.h"
#include "state/backend/saved.h"

/* Reads the backend that the configuration's block and `arguments`
 * (-backend-config: NAME=VALUE, or a file) ask for.  o: values of variables for
 * early evaluation. */
int backend_wanted(struct arena *a, struct config *c,
		   const struct config_options *o,
		   const struct str_vec *arguments,
		   struct backend_settings *out, struct diags *ds);
/* Would init have nothing to do?  arguments: -backend-config was given, so that
 * hashes cannot be compared. */
bool backend_same(const struct backend_settings *wanted,
		  const struct backend_settings *saved, bool arguments);

/* "Backend initialization required": the error of every command that uses the
 * state when init has something to do. */
int backend_check(struct arena *a, struct config *c,
		  const struct config_options *o, struct diags *ds);
/* Can it be an error?  For commands that would load the configuration just for
 * it: not if nothing was initialised and no file of dir names a backend. */
bool backend_check_needed(struct arena *a, struct str dir, struct str data_dir);

#endif
