/*
 * eval_json_int.h - expressions in JSON syntax: strings are templates, arrays
 * are tuples, objects are objects whose names are templates too
 */
#ifndef TFPIPE_LANG_EVAL_JSON_INT_H
#define TFPIPE_LANG_EVAL_JSON_INT_H

#include "lang/eval/eval.h"

const struct value *eval_json(struct eval *ev, const struct expr *e);

#endif
