/* eval_cond_int.h - conditionals: cond ? yes : no */
#ifndef TFPIPE_LANG_EVAL_COND_INT_H
#define TFPIPE_LANG_EVAL_COND_INT_H

#include "lang/eval/eval.h"

const struct value *eval_conditional(struct eval *ev, const struct expr *e);

#endif
