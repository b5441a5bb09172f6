/*
 * variable_value.h - a variable's value from what was given and what it is
 * declared as, which takes no run (see variables.h)
 */
#ifndef TFPIPE_ENGINE_VARIABLE_VALUE_H
#define TFPIPE_ENGINE_VARIABLE_VALUE_H

#include "engine/run/run.h"

/* The default, converted; NULL: there is none, or it does not fit. */
const struct value *variable_default(struct arena *a,
				     const struct cfg_variable *v,
				     struct diags *ds);
/* The given value (NULL: not set) made to fit the variable: default, defaults
 * of optional attributes, conversion, nullability.  `how` says in words how it
 * was given, for values from outside ("with -var"); NULL otherwise.  at: the
 * range of the value, or of the declaration if it is in no file.  No marks are
 * added. */
const struct value *variable_settle(struct arena *a,
				    const struct cfg_variable *v,
				    const struct value *given,
				    const struct range *at, const char *how,
				    struct diags *ds);
/* The value of an argument of a call made to fit; otherwise: variable_default,
 * which has said what is wrong with it. */
const struct value *variable_settle_argument(struct arena *a,
					     const struct cfg_variable *v,
					     const struct value *otherwise,
					     const struct value *given,
					     const struct range *at,
					     struct diags *ds);

#endif
