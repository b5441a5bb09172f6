/* eval_ref_int.h - references: a variable and all steps written after it */
#ifndef TFPIPE_LANG_EVAL_REF_INT_H
#define TFPIPE_LANG_EVAL_REF_INT_H

#include "lang/eval/eval.h"

/* By kind. */
const struct value *eval_reference(struct eval *ev, const struct expr *e);
/* The first n steps of t, as a value. */
const struct value *eval_traversal(struct eval *ev, const struct traversal *t,
				   size_t n, const struct source *src);

#endif
