/*
 * eval_loop.c - the memory of a loop; see eval_int.h
 */
#include "lang/eval/eval_int.h"

enum {
	/* What mostly stays is looked at once in so many rooms. */
	SELDOM = 8,
};

size_t eval_loop_room = 256 << 10;

static void use(struct eval_loop *l, struct arena *a, size_t limit)
{
	l->ev->arena = a;
	l->limit = limit;
	l->chunk = a->chunk;
	l->stop = (uintptr_t)a->cur + (limit - arena_used(a));
}

static void go_apart(struct eval_loop *l, size_t n)
{
	l->own = (struct arena)ARENA_INIT;
	/* One chunk, most times. */
	l->own.next_size = eval_loop_room + eval_loop_room / 8;
	l->moved = n;
	use(l, &l->own, eval_loop_room);
}

static bool worth_moving(const struct eval_loop *l, const struct value **vals,
			 size_t n, const struct value *other)
{
	size_t room = arena_used(&l->own) / 2;

	for (size_t i = l->moved; i < n; i++)
		if (!value_move_fits(&l->own, vals[i], &room))
			return false;
	return !other || value_move_fits(&l->own, other, &room);
}

static void move(const struct eval_loop *l, const struct value **vals, size_t n,
		 const struct marks **m, const struct value **other)
{
	for (size_t i = l->moved; i < n; i++)
		vals[i] = value_move(&l->own, l->out, vals[i]);
	if (m)
		*m = marks_move(&l->own, l->out, *m);
	if (other)
		*other = value_move(&l->own, l->out, *other);
}

void eval_loop_look_(struct eval_loop *l, const struct value **vals, size_t n,
		     const struct marks **m, const struct value **other)
{
	struct arena *a = l->ev->arena;

	if (!l->limit && a->chunk != l->chunk) /* another one since it began */
		use(l, a, arena_used(a) + eval_loop_room);
	else if (arena_used(a) < l->limit)
		use(l, a, l->limit);
	else if (!eval_loop_apart(l))
		go_apart(l, n);
	else if (worth_moving(l, vals, n, other ? *other : NULL)) {
		move(l, vals, n, m, other);
		l->moved = n;
		arena_reset(&l->own);
		use(l, &l->own, eval_loop_room);
	} else {
		arena_give(&l->own, l->out);
		use(l, l->out,
		    arena_used(l->out) + (SELDOM - 1) * eval_loop_room);
	}
}

void eval_loop_end_(struct eval_loop *l, const struct value **vals, size_t n,
		    const struct marks **m, const struct value **other)
{
	l->ev->arena = l->out;
	if (!worth_moving(l, vals, n, other ? *other : NULL)) {
		arena_give(&l->own, l->out);
		return;
	}
	move(l, vals, n, m, other);
	arena_release(&l->own);
}

struct str eval_loop_keep(const struct eval_loop *l, struct str s)
{
	return eval_loop_apart(l) && arena_holds(&l->own, s.p)
		       ? str_dup(l->out, s)
		       : s;
}
