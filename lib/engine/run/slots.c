/* slots.c - at most -parallelism instances are worked on at a time */
#include "engine/run/run.h"
#include "engine/run/run_int.h"
#include "provider/open.h"
#include "provider/source.h"

static struct run_slot *take(struct run *r)
{
	struct run_slot *s = r->free_slots;

	if (s) {
		r->free_slots = s->next;
		return s;
	}
	if (r->slots.len >= r->opts.parallelism)
		return NULL;
	s = ARENA_NEW(r->arena, struct run_slot);
	s->run = r;
	vec_push(r->arena, &r->slots, s);
	return s;
}

struct grant {
	struct run_slot *slot;
	run_slot_fn *fn;
	void *data;
};

/* Runs the waiter of a slot; the grant lives in the slot's own arena. */
static void give(void *data)
{
	struct grant *g = data;

	g->fn(g->data, g->slot);
}

static void grant(struct run *r, struct run_slot *s, run_slot_fn *fn,
		  void *data)
{
	struct grant *g = ARENA_NEW(&s->arena, struct grant);

	*g = (struct grant){ s, fn, data };
	loop_defer(r->loop, give, g);
}

void run_slot_get(struct run *r, run_slot_fn *fn, void *data)
{
	struct run_slot *s = take(r);
	struct run_wait *w;

	if (s) {
		grant(r, s, fn, data);
		return;
	}
	w = r->free_waits;
	if (w)
		r->free_waits = w->next;
	else
		w = ARENA_NEW(r->arena, struct run_wait);
	*w = (struct run_wait){ .fn = (void *)fn, .data = data };
	if (r->opts.providers)
		r->opts.providers->work_waits++;
	*r->slot_waiters_tail = w;
	r->slot_waiters_tail = &w->next;
}

void run_slot_put(struct run_slot *s)
{
	struct run *r = s->run;
	struct run_wait *w = r->slot_waiters;

	arena_reset(&s->arena);
	if (!w) {
		s->next = r->free_slots;
		r->free_slots = s;
		return;
	}
	r->slot_waiters = w->next;
	if (!r->slot_waiters)
		r->slot_waiters_tail = &r->slot_waiters;
	if (r->opts.providers) {
		r->opts.providers->work_waits--;
		provider_source_work_done(r->opts.providers);
	}
	grant(r, s, (run_slot_fn *)w->fn, w->data);
	w->next = r->free_waits;
	r->free_waits = w;
}
