/*
 * eval_diag_int.h - diagnostics of the evaluator: what the variables in the
 * expression at fault are, suggestions for misspelt names, deprecations
 */
#ifndef TFPIPE_LANG_EVAL_DIAG_INT_H
#define TFPIPE_LANG_EVAL_DIAG_INT_H

#include "lang/eval/eval.h"

/* Adds an error about the node `about` (whose variables are explained; NULL:
 * none), marking `subject` in a snippet that shows `context` (NULL: the
 * subject).  Returns value_unknown_dynamic. */
const struct value *eval_fail(struct eval *ev, const struct expr *about,
			      struct span subject, const struct span *context,
			      const char *summary, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
/* " Did you mean "x"?" for the first of the names that is close to `given`,
 * or "". */
struct str eval_suggestion(struct arena *a, struct str given,
			   struct str (*next)(void *data, size_t i), void *data,
			   const struct eval_local *locals);

#endif
