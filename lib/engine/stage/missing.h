/*
 * missing.h - root variables that need a value and have none, for callers that
 * can ask for values (inputs_write_missing)
 */
#ifndef TFPIPE_ENGINE_STAGE_MISSING_H
#define TFPIPE_ENGINE_STAGE_MISSING_H

#include "config/load/load.h"
#include "engine/run/inputs.h"

/* The variables that are required and not given, in order of declaration. */
void missing_inputs(const struct cfg_module *root, const struct inputs *in,
		    struct arena *a, struct str_vec *out);

/* The variables that reading the configuration needs: its constants, the
 * sources of its modules and, if backend, the backend's arguments.  o: how it
 * is loaded, with o->variables for what is given; its other errors are not
 * reported. */
void missing_early(struct arena *a, const struct config_options *o,
		   bool backend, struct str_vec *out);

#endif
