/*
 * eval_for_int.h - for expressions, in their three forms: tuple, object, object
 * grouped by key
 */
#ifndef TFPIPE_LANG_EVAL_FOR_INT_H
#define TFPIPE_LANG_EVAL_FOR_INT_H

#include "lang/eval/eval_int.h"

const struct value *eval_for(struct eval *ev, const struct expr *e);
void eval_for_elements(struct eval *ev, const struct expr *e,
		       struct for_result *r);

#endif
