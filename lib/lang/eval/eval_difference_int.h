/* eval_difference_int.h - the two sides of an == that a diagnostic is about */
#ifndef TFPIPE_LANG_EVAL_DIFFERENCE_INT_H
#define TFPIPE_LANG_EVAL_DIFFERENCE_INT_H

#include "lang/eval/eval.h"

/* eval_difference.c: of an ==, the values of its sides as a published change;
 * STR_NONE where that is not what e is, or they cannot be told.  Changes
 * ev->diags. */
struct str eval_difference(struct eval *ev, const struct expr *e,
			   struct arena *keep);

#endif
