/*
 * deep_locals.c - long chains of local values, evaluated without recursion
 *
 * Values are evaluated on demand, so that each link of a chain of locals that
 * refer to one another would take a piece of the C stack.  From some depth on
 * those that a local value needs are therefore evaluated first, in order, with
 * a stack of our own.
 */
#include "engine/run/run_int.h"
#include "lang/syntax/walk.h"

struct walk {
	struct run_module *m;
	struct arena arena;
	bool *seen; /* by index: is or was on the stack; made when needed */
	VEC(const struct cfg_local *) stack;
};

static size_t index_of(const struct walk *w, const struct cfg_local *l)
{
	return (size_t)map_index(&w->m->config->locals, l->name);
}

/* Pushes the locals in l's expression that have no value yet. A circle is left
 * to the evaluation to report. */
static bool push_needed(struct walk *w, const struct cfg_local *l)
{
	const struct map *locals = &w->m->config->locals;
	struct traversal_vec refs = { 0 };
	bool pushed = false;

	expression_variables(&w->arena, l->value, &refs);
	for (size_t i = 0; i < refs.len; i++) {
		const struct traversal *t = &refs.items[i].traversal;
		const struct cfg_local *needed;
		const struct run_memo *memo;

		if (!str_is(t->root, "local") || !t->nsteps ||
		    t->steps[0].kind != STEP_ATTR)
			continue;
		needed = map_get(locals, t->steps[0].name);
		if (!needed)
			continue;
		memo = &w->m->locals[index_of(w, needed)];
		if (run_memo_kept(memo) || memo->running)
			continue;
		if (!w->seen)
			w->seen = ARENA_ARRAY(&w->arena, bool, locals->len);
		if (w->seen[index_of(w, needed)])
			continue;
		w->seen[index_of(w, needed)] = true;
		vec_push(&w->arena, &w->stack, needed);
		pushed = true;
	}
	return pushed;
}

void eval_needed_locals(struct run_module *m, const struct cfg_local *l,
			struct eval *ev, struct diags *ds)
{
	struct walk w = { .m = m, .arena = ARENA_INIT };
	bool failed = false;

	push_needed(&w, l);
	while (w.stack.len) {
		const struct cfg_local *top = w.stack.items[w.stack.len - 1];

		/* the second time nothing is left to push */
		if (push_needed(&w, top))
			continue;
		w.stack.len--;
		if (!m->locals[index_of(&w, top)].value)
			eval_local_value(m, top, ev, &failed, ds);
	}
	arena_release(&w.arena);
}
