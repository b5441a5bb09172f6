/*
 * eval_access.h - attribute and index access on values, on every type, with the
 * language's rules for null, unknown and marked ones
 */
#ifndef TFPIPE_LANG_EVAL_ACCESS_H
#define TFPIPE_LANG_EVAL_ACCESS_H

#include "lang/eval/eval.h"

/* Single steps, with HCL's diagnostics: v.name, v[key]. */
const struct value *eval_get_attr(struct arena *a, const struct value *v,
				  struct str name, const struct range *at,
				  struct diags *ds);
const struct value *eval_get_index(struct arena *a, const struct value *v,
				   const struct value *key,
				   const struct range *at, struct diags *ds);

#endif
