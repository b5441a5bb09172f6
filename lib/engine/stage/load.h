/*
 * load.h - a configuration from its files, with the values of variables where
 * sources or versions of modules need them
 */
#ifndef TFPIPE_ENGINE_STAGE_LOAD_H
#define TFPIPE_ENGINE_STAGE_LOAD_H

#include "config/load/load.h"
#include "engine/run/inputs.h"

/* Loads as o has it, with the functions and the workspace; variables are looked
 * at only where they are needed.  args: -var and -var-file. */
struct config *load_configuration(struct arena *a, const struct input_arg *args,
				  size_t nargs, const struct config_options *o,
				  struct diags *ds);
/* A stage in a pipe: the sources of modules must mean the same with the values
 * that it has, after inputs_parse.  -1: diagnosed. */
int load_check_sources(struct arena *a, struct config *c, struct inputs *in,
		       struct diags *ds);
/* Reports errors of the backend instead of those of modules: of *ds only the
 * root module's own warnings are left, and these only if `warnings`.  A backend
 * that depends on values is checked later, with these.  c: loaded with
 * stepwise. */
void load_check_backend(struct arena *a, struct config *c, bool warnings,
			struct diags *ds);

#endif
