/* eval_ops_int.h - unary and binary operators */
#ifndef TFPIPE_LANG_EVAL_OPS_INT_H
#define TFPIPE_LANG_EVAL_OPS_INT_H

#include "lang/eval/eval.h"

const struct value *eval_unary(struct eval *ev, const struct expr *e);
const struct value *eval_binary(struct eval *ev, const struct expr *e);

#endif
