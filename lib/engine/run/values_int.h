/* values_int.h - named values, evaluated on demand and kept */
#ifndef TFPIPE_ENGINE_VALUES_INT_H
#define TFPIPE_ENGINE_VALUES_INT_H

#include "engine/run/run.h"

/* Evaluates e in m, with rep (may be NULL), as a part of ev (may be NULL); the
 * result is in the run's arena.  *failed is set on errors of this evaluation
 * and when it used what had failed before. */
const struct value *run_evaluate(struct run_module *m,
				 const struct repetition *rep,
				 struct expression e, struct eval *ev,
				 bool *failed, struct diags *ds);
/* An argument of the call that made m; NULL: not given. */
const struct attribute *run_module_argument(struct run_module *m,
					    struct str name);
/* As run_variable, which has been called before and reported errors; but while
 * validating, too, the value that a module's call gives. */
const struct value *run_variable_given(struct run_module *m,
				       const struct cfg_variable *v);
/* The same as run_variable and so on, inside of an evaluation. */
const struct value *eval_variable(struct run_module *m,
				  const struct cfg_variable *v, struct eval *ev,
				  bool *failed, struct diags *ds);
const struct value *eval_local_value(struct run_module *m,
				     const struct cfg_local *l, struct eval *ev,
				     bool *failed, struct diags *ds);
const struct value *eval_output(struct run_module *m,
				const struct cfg_output *o, struct eval *ev,
				bool *failed, struct diags *ds);
const struct value *eval_module_whole(struct run_call *c, struct eval *ev,
				      bool *failed, struct diags *ds);

#endif
