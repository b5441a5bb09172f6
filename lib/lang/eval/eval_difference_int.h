/* eval_difference_int.h - the two sides of an == that a diagnostic is about */
#ifndef TFPIPE_LANG_EVAL_DIFFERENCE_INT_H
#define TFPIPE_LANG_EVAL_DIFFERENCE_INT_H

#include "lang/eval/eval.h"

/* eval_difference.c: the sides of an == as a published change; STR_NONE if e is
 * not an ==, or they cannot be shown.  Changes ev->diags. */
struct str eval_difference(struct eval *ev, const struct expr *e,
			   struct arena *keep);

#endif
