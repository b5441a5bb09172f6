/*
 * inputs_missing.h - the list of variables that have no value, for callers that
 * can ask
 */
#ifndef TFPIPE_ENGINE_INPUTS_MISSING_H
#define TFPIPE_ENGINE_INPUTS_MISSING_H

#include "config/config.h"

/* Writes a file for callers that can ask for values: a line for each of these
 * variables, by name. */
int inputs_write_missing(struct str file, const struct cfg_module *root,
			 struct str_vec *names, struct diags *ds);

#endif
