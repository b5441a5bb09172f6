/* worker.c - see worker.h: the machine */
#include "engine/run/worker.h"
#include "engine/run/values.h"
#include "engine/run/mock.h"
#include "engine/run/providers.h"

static void take_steps(struct worker *w);

static void again(void *data)
{
	take_steps(data);
}

void worker_resume(void *data)
{
	struct worker *w = data;

	w->next++;
	w->answered = false;
	take_steps(w);
}

void worker_begin(struct worker *w, worker_step *const *table)
{
	w->next = table;
	w->answered = false;
	take_steps(w);
}

enum worked worker_go(struct worker *w, worker_step *const *table)
{
	w->other = table;
	return WORK_GO;
}

/* --- calls of the provider --- */

enum worked worker_call(struct worker *w, enum provider_call call)
{
	w->q.call = call;
	return WORK_CALL;
}

static void answered(struct provider_request *q)
{
	struct worker *w = q->data;
	const struct body *body = w->block ? w->block->body : NULL;

	if (w->plan.quiet && !diags_failed(&q->diags))
		q->diags.len = 0;
	if (run_provider_diags(&w->ds, q, body, w->text) && !w->keep_on) {
		w->ops->end(w, true);
		return;
	}
	w->next++;
	w->answered = true;
	take_steps(w);
}

static void send(struct worker *w)
{
	struct provider_request *q = &w->q;

	q->arena = w->a;
	q->mode = w->addr.resource.mode;
	q->type = w->addr.resource.type;
	q->address = w->text;
	q->meta = w->meta;
	q->diags = (struct diags)DIAGS_INIT(w->ds.arena);
	q->diag_paths = (struct path_vec){ NULL, 0, 0 };
	q->done = answered;
	q->data = w;
	if (!mock_answer(w))
		provider_start(w->provider->provider, q);
}

/* --- the table --- */

/* false: another call goes on. */
static bool take_step(struct worker *w)
{
	enum worked did = WORK_END;

	w->mark = run_mark(w->run, &w->ds);
	if (*w->next)
		did = (*w->next)(w);
	if (did == WORK_LATER) /* w may be gone */
		return false;
	if (run_must_wait(&w->mark, again, w))
		return false;
	switch (did) {
	case WORK_NEXT:
		w->next++;
		w->answered = false;
		return true;
	case WORK_GO:
		w->next = w->other;
		w->answered = false;
		return true;
	case WORK_CALL:
		send(w);
		return false;
	default:
		w->ops->end(w, did == WORK_FAIL);
		return false;
	}
}

static void take_steps(struct worker *w)
{
	while (take_step(w))
		;
}

/* --- the provider --- */

struct parked {
	struct run *run;
	run_slot_fn *begin;
	void *data;
};

static void unpark(void *data)
{
	struct parked *k = data;

	run_slot_get(k->run, k->begin, k->data);
}

/* Nothing was done yet: it begins again when the provider is awake, and others
 * take its slot meanwhile. */
static void park(struct worker *w)
{
	struct run *r = w->run;
	struct run_provider *p = w->provider;
	struct parked *k = ARENA_NEW(r->arena, struct parked);

	*k = (struct parked){ r, w->ops->begin, w->ops->parked(w) };
	run_slot_put(w->slot); /* w is gone */
	run_provider_wake(r, p, unpark, k);
}

static void provider_settled(void *data, struct run_provider *p)
{
	struct worker *w = data;

	/* Errors were reported to the first caller. */
	if (p->state == PROVIDER_READY)
		worker_resume(w);
	else
		w->ops->end(w, true);
}

enum worked worker_get_provider(struct worker *w)
{
	if (w->ops->parked && run_provider_asleep(w->run, w->provider)) {
		park(w);
		return WORK_LATER;
	}
	if (w->provider->state == PROVIDER_READY)
		return WORK_NEXT;
	run_provider_get(w->run, w->provider, provider_settled, w);
	return WORK_LATER;
}
