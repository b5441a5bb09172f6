/*
 * load.h - a configuration from its files, with the values of variables where
 * sources or versions of modules need them
 */
#ifndef TFPIPE_ENGINE_STAGE_LOAD_H
#define TFPIPE_ENGINE_STAGE_LOAD_H

#include "config/load/load.h"

/* Loads as o has it; variables are looked at only where they are needed.
 * argc, argv: where -var and -var-file are. */
struct config *load_configuration(struct arena *a, int argc, char **argv,
				  const struct config_options *o,
				  struct diags *ds);
/* Reports errors of the backend instead of those of modules: of *ds only the
 * root module's own warnings are left, and these only if `warnings`.  A backend
 * that depends on values is checked later, with these.  c: loaded with
 * stepwise. */
void load_check_backend(struct arena *a, struct config *c, bool warnings,
			struct diags *ds);

#endif
