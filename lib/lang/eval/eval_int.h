/*
 * eval_int.h - what the files of the evaluator share
 *
 * One function a node kind; all are reached through eval_expr, which counts
 * depth.  Diagnostics go to ev->diags; a node that reports one returns
 * value_unknown_dynamic or what could be made.
 */
#ifndef TFPIPE_LANG_EVAL_EVAL_INT_H
#define TFPIPE_LANG_EVAL_EVAL_INT_H

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

/*
 * eval_access.c: attribute and index access on values, on every type, with
 * the language's rules for null, unknown and marked ones
 */

const struct value *access_attr(struct arena *a, const struct value *v,
				struct str name, struct access_error *err);
const struct value *access_index(struct arena *a, const struct value *v,
				 const struct value *key,
				 struct access_error *err);

/* eval_call.c: function calls */

const struct value *eval_call(struct eval *ev, const struct expr *e);

/* eval_cond.c: conditionals: cond ? yes : no */

const struct value *eval_conditional(struct eval *ev, const struct expr *e);

/*
 * eval_diag.c: diagnostics of the evaluator: what the variables in the
 * expression at fault are, suggestions for misspelt names, deprecations
 */

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

/*
 * eval_for.c: for expressions, in their three forms: tuple, object, object
 * grouped by key
 */

const struct value *eval_for(struct eval *ev, const struct expr *e);
void eval_for_elements(struct eval *ev, const struct expr *e,
		       struct for_result *r);

/*
 * eval_json.c: expressions in JSON syntax: strings are templates, arrays
 * are tuples, objects are objects whose names are templates too
 */

const struct value *eval_json(struct eval *ev, const struct expr *e);

/* eval_ops.c: unary and binary operators */

const struct value *eval_unary(struct eval *ev, const struct expr *e);
const struct value *eval_binary(struct eval *ev, const struct expr *e);

/* eval_ref.c: references: a variable and all steps written after it */

/* By kind. */
const struct value *eval_reference(struct eval *ev, const struct expr *e);
/* The first n steps of t, as a value. */
const struct value *eval_traversal(struct eval *ev, const struct traversal *t,
				   size_t n, const struct source *src);

/* eval_splat.c: splats: x.*.a and x[*].a */

const struct value *eval_splat(struct eval *ev, const struct expr *e);

/* eval_template.c: string templates */

const struct value *eval_template(struct eval *ev, const struct expr *e);
const struct value *eval_for_template(struct eval *ev, const struct expr *e);

/*
 * eval_loop.c: the memory of a loop: bounded by what it makes
 *
 * What an iteration needs on the way to its result is of no use afterwards.  A
 * loop that has taken some room goes on in an arena of its own.  When that is
 * full, the results are moved out of it, and it begins anew; or, if most of it
 * is results, it becomes a part of the arena of the evaluation, and the loop
 * goes on there for a while.  So a small loop costs nothing, one that makes
 * much is looked at now and then, and the rest copies little.
 *
 * Between eval_loop_open and eval_loop_close, `out` is the arena of the result.
 * What outlasts an iteration is made there, or handed to
 * eval_loop_next to be moved.
 */

struct eval_loop {
	struct eval *ev;
	struct arena *out;
	struct arena own; /* of iterations, while in use */
	size_t moved;     /* so many values lie in out */
	/* How much may be used of the arena in use; 0: not counted yet.  It is
	 * not used up while that is in this chunk and before `stop`. */
	size_t limit;
	const struct arena_chunk *chunk;
	uintptr_t stop;
};

/* How many bytes a loop takes before it looks; tests have it look each time. */
extern size_t eval_loop_room;

void eval_loop_look_(struct eval_loop *l, const struct value **vals, size_t n,
		     const struct marks **m, const struct value **other);
void eval_loop_end_(struct eval_loop *l, const struct value **vals, size_t n,
		    const struct marks **m, const struct value **other);

static inline void eval_loop_open(struct eval_loop *l, struct eval *ev)
{
	l->ev = ev;
	l->out = ev->arena;
	l->limit = 0;
	l->chunk = ev->arena->chunk;
	l->stop = (uintptr_t)ev->arena->cur + eval_loop_room;
}

static inline bool eval_loop_apart(const struct eval_loop *l)
{
	return l->ev->arena == &l->own;
}

/* After an iteration: if that is due, moves what there is of vals, of which
 * more may come, and *m and *other (each may be NULL). */
static inline void eval_loop_next(struct eval_loop *l,
				  const struct value **vals, size_t n,
				  const struct marks **m,
				  const struct value **other)
{
	const struct arena *a = l->ev->arena;

	if (a->chunk != l->chunk || (uintptr_t)a->cur >= l->stop)
		eval_loop_look_(l, vals, n, m, other);
}

/* Moves the results at the end, whether it is due or not. */
static inline void eval_loop_close(struct eval_loop *l,
				   const struct value **vals, size_t n,
				   const struct marks **m,
				   const struct value **other)
{
	if (eval_loop_apart(l))
		eval_loop_end_(l, vals, n, m, other);
}

/* s, to outlast the iteration. */
struct str eval_loop_keep(const struct eval_loop *l, struct str s);

#endif
