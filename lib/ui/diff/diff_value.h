/* diff_value.h - differences of values: by their type, or by the JSON alone */
#ifndef TFPIPE_UI_DIFF_VALUE_H
#define TFPIPE_UI_DIFF_VALUE_H

#include "ui/diff/diff.h"

/* Anything of a type; NULL or dynamic: by the JSON alone (outputs). */
const struct diff *diff_typed(struct arena *a, const struct diff_input *in,
			      const struct type *t);
/* A string that holds JSON, as jsonencode(…) shows it. */
const struct diff *diff_json(struct arena *a, const struct diff_input *in);

#endif
