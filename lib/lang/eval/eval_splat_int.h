/* eval_splat_int.h - splats: x.*.a and x[*].a */
#ifndef TFPIPE_LANG_EVAL_SPLAT_INT_H
#define TFPIPE_LANG_EVAL_SPLAT_INT_H

#include "lang/eval/eval.h"

const struct value *eval_splat(struct eval *ev, const struct expr *e);

#endif
