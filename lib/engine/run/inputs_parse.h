/* inputs_parse.h - see inputs.h: given texts to values of variables */
#ifndef TFPIPE_ENGINE_INPUTS_PARSE_H
#define TFPIPE_ENGINE_INPUTS_PARSE_H

#include "engine/run/inputs.h"

/* Parses the texts as the variables' types demand; diagnoses names that are not
 * declared (warnings from files, errors from -var) and required variables
 * without a value. */
int inputs_parse(struct arena *a, struct inputs *in,
		 const struct cfg_module *root, struct diags *ds);
/* Variables with `const` must have a value wherever a configuration is read. */
int inputs_check_constants(struct arena *a, const struct inputs *in,
			   const struct cfg_module *root, struct diags *ds);
/* One of them alone: sets i->value (not converted yet) or i->bad. */
void input_parse(struct arena *a, struct input *i, const struct cfg_variable *v,
		 struct diags *ds);
/* The value of a root variable after inputs_parse, before validation:
 * converted, defaults applied, nullability checked.  in NULL: not given.
 * Always returns a value; marks are not added. */
const struct value *input_value(struct arena *a, const struct cfg_variable *v,
				const struct input *in, struct diags *ds);

#endif
