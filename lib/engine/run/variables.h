/* variables.h - the last step of a variable's value, and its validations */
#ifndef TFPIPE_ENGINE_RUN_VARIABLES_H
#define TFPIPE_ENGINE_RUN_VARIABLES_H

#include "engine/run/run.h"

struct condition_use;

/* The default, converted; NULL: there is none, or it does not fit. */
const struct value *variable_default(struct arena *a,
				     const struct cfg_variable *v,
				     struct diags *ds);
/* The given value (NULL: not set) made to fit the variable: default, defaults
 * of optional attributes, conversion, nullability.  `how` says in words how it
 * was given, for values that come from no file ("with -var"); NULL otherwise.
 * at: where the value stands.  No marks are added. */
const struct value *variable_settle(struct arena *a,
				    const struct cfg_variable *v,
				    const struct value *given,
				    const struct range *at, const char *how,
				    struct diags *ds);

/* Evaluates the variable's validations in m, and warns when a deprecated
 * variable is used.  u: how references are checked, or NULL.  Returns -1 on an
 * error. */
int variable_validate(struct run_module *m, const struct cfg_variable *v,
		      const struct condition_use *u, struct diags *ds);

/* May an output hold this value? Marks, and where they are allowed. */
int output_refused(struct run_module *m, const struct cfg_output *o,
		   const struct value *v, struct diags *ds);

#endif
