/* eval_ref.h - references: a variable and all steps written after it */
#ifndef TFPIPE_LANG_EVAL_REF_H
#define TFPIPE_LANG_EVAL_REF_H

#include "lang/eval/eval.h"

/* The innermost of that name; NULL: there is none. */
const struct eval_local *eval_find_local(const struct eval_local *locals,
					 struct str name);

#endif
