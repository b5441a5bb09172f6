/*
 * eval_access_int.h - attribute and index access on values, on every type, with
 * the language's rules for null, unknown and marked ones
 */
#ifndef TFPIPE_LANG_EVAL_ACCESS_INT_H
#define TFPIPE_LANG_EVAL_ACCESS_INT_H

#include "lang/eval/eval_int.h"

const struct value *access_attr(struct arena *a, const struct value *v,
				struct str name, struct access_error *err);
const struct value *access_index(struct arena *a, const struct value *v,
				 const struct value *key,
				 struct access_error *err);

#endif
