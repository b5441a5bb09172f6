/* eval_call_int.h - function calls */
#ifndef TFPIPE_LANG_EVAL_CALL_INT_H
#define TFPIPE_LANG_EVAL_CALL_INT_H

#include "lang/eval/eval.h"

const struct value *eval_call(struct eval *ev, const struct expr *e);

#endif
