/* loop_int.h - what the files of this room share */
#ifndef TFPIPE_LANG_EVAL_LOOP_INT_H
#define TFPIPE_LANG_EVAL_LOOP_INT_H

#include "lang/eval/eval_int.h"

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
