/* variables.h - the last step of a variable's value, and its validations */
#ifndef TFPIPE_ENGINE_RUN_VARIABLES_H
#define TFPIPE_ENGINE_RUN_VARIABLES_H

#include "engine/run/run.h"

struct condition_use;

/* Evaluates the variable's validations in m, and warns when a deprecated
 * variable is used.  u: how references are checked, or NULL.  Returns -1 on an
 * error. */
int variable_validate(struct run_module *m, const struct cfg_variable *v,
		      const struct condition_use *u, struct diags *ds);

#endif
