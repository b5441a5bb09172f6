/*
 * values.h - named values and objects, as references see them; the scope of an
 * evaluation
 */
#ifndef TFPIPE_ENGINE_RUN_VALUES_H
#define TFPIPE_ENGINE_RUN_VALUES_H

#include "engine/run/run.h"

const struct value *run_variable(struct run_module *m,
				 const struct cfg_variable *v, bool *failed,
				 struct diags *ds);
const struct value *run_local(struct run_module *m, const struct cfg_local *l,
			      bool *failed, struct diags *ds);
/* As the caller of the module sees it (marks of sensitive, ephemeral,
 * deprecated added). */
const struct value *run_output(struct run_module *m, const struct cfg_output *o,
			       bool *failed, struct diags *ds);
/* May an output hold this value? Marks, and where they are allowed. */
int run_output_refused(struct run_module *m, const struct cfg_output *o,
		       const struct value *v, struct diags *ds);
/* An infinite number in v, which is to be stored at the address, is an error:
 * state files are JSON, which has none. */
int run_refuse_infinity(const struct value *v, const struct range *at,
			struct str address, struct diags *ds);

#endif
