/*
 * eval_diag.h - diagnostics of the evaluator: what the variables in the
 * expression at fault are, suggestions for misspelt names, deprecations
 */
#ifndef TFPIPE_LANG_EVAL_DIAG_H
#define TFPIPE_LANG_EVAL_DIAG_H

#include "lang/eval/eval.h"

void eval_explain(struct arena *a, const struct scope *s,
		  const struct eval_local *locals, struct expression e,
		  unsigned flags, struct diag *d);
/* Warns "Value derived from a deprecated source" for each deprecation in v and
 * returns v without them (eval_expression and eval_convert do so). */
const struct value *eval_report_deprecated(struct arena *a,
					   const struct value *v,
					   const struct range *at,
					   struct diags *ds);

#endif
