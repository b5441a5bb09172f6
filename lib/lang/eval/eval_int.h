/*
 * eval_int.h - what the files of the evaluator share
 *
 * One function a node kind; all are reached through eval_expr, which counts
 * depth.  Diagnostics go to ev->diags; a node that reports one returns
 * value_unknown_dynamic or what could be made.
 */
#ifndef TFPIPE_LANG_EVAL_INT_H
#define TFPIPE_LANG_EVAL_INT_H

#include "lang/eval/eval.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"

enum {
	/* Nested expressions, nested templates included. */
	EVAL_MAX_DEPTH = 2500,
	/* Loops stop adding errors when the list is too long to read. */
	EVAL_MAX_ERRORS = 1000,
};

const struct value *eval_expr(struct eval *ev, const struct expr *e);

/* v as type t.  On mismatch NULL and *why; already of type t costs nothing. */
const struct value *eval_to(struct eval *ev, const struct value *v,
			    const struct type *t, struct str *why);

/* v, unless it is nested deeper than values may be. */
const struct value *eval_not_too_deep(struct eval *ev, const struct expr *e,
				      const struct value *v);

/* Everything the iteration of a for expression made. */
struct for_result {
	bool failed; /* an error came first: the result is unknown */
	bool known;  /* false: some key or condition was unknown */
	const struct marks *marks;
	VEC(struct str) keys; /* object form; not grouped by key yet */
	VEC(const struct value *) values;
};

/* One step into v; NULL and *err if there is no such thing. */
struct access_error {
	const char *summary;
	struct str detail;
};

/* Marks: cheap when there are none. */
static inline const struct marks *marks_join(struct arena *a,
					     const struct marks *x,
					     const struct marks *y)
{
	if (!y || x == y)
		return x;
	return x ? marks_union(a, x, y) : y;
}

static inline const struct value *marked(struct arena *a, const struct value *v,
					 const struct marks *m)
{
	return m ? value_with_marks(a, v, m) : v;
}

static inline const struct value *unmarked(struct arena *a,
					   const struct value *v,
					   const struct marks **m)
{
	*m = NULL;
	return v->marks ? value_unmark(a, v, m) : v;
}

/* eval_still_ephemeral where v may come to hold the value of e, which was not
 * needed for v. */
const struct value *eval_still_ephemeral_by(struct eval *ev,
					    const struct value *v,
					    const struct expr *e);

/* An unknown of type t that is not null. */
static inline const struct value *unknown_not_null(struct arena *a,
						   const struct type *t)
{
	return value_refine_not_null(a, value_unknown(a, t));
}

#endif
