/* eval_template_int.h - string templates */
#ifndef TFPIPE_LANG_EVAL_TEMPLATE_INT_H
#define TFPIPE_LANG_EVAL_TEMPLATE_INT_H

#include "lang/eval/eval.h"

const struct value *eval_template(struct eval *ev, const struct expr *e);
const struct value *eval_for_template(struct eval *ev, const struct expr *e);

#endif
