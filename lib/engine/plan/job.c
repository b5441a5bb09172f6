/*
 * job.c - the work on one instance, in a slot
 *
 * A node has one place in the queue for slots, however many instances it has;
 * when its turn comes it starts the next one and queues again.
 */
#include "engine/plan/plan_int.h"
#include "addr/provider.h"
#include "engine/run/expand.h"
#include "engine/run/providers.h"
#include "engine/run/run.h"

static void next_job(void *data, struct run_slot *s);

void plan_work_queue(struct plan_work *w)
{
	if (w->first_alone && w->next == 1 && w->running)
		return;
	if (w->next < w->items.len)
		run_slot_get(w->p->run, next_job, w);
}

/* --- the end --- */

/* The object was read: its present value counts, whatever comes after it. */
static void give_up(struct job *j)
{
	if (j->refreshed)
		job_note_state(j);
	j->work->failed = true;
	if (j->it.inst)
		j->it.inst->failed = true;
	job_keep_generated(j);
}

static void end(struct worker *x, bool failed)
{
	struct job *j = job_of(x);
	struct plan_work *w = j->work;
	struct events *e = w->p->opts.events;

	if (failed)
		give_up(j);
	if (worker_failed(x))
		w->failed = true;
	if (x->ds.len)
		w->items.items[j->item].diags =
			arena_dup(w->p->arena, &x->ds, sizeof(x->ds));
	w->p->progress.planned++;
	if (e && events_progress(e, &w->p->progress))
		events_flush_later(e);
	w->running--;
	run_slot_put(x->slot);
	if (w->first_alone && w->next == 1) {
		if (w->failed)
			w->next = w->items.len;
		plan_work_queue(w);
	}
	if (!w->running && w->next == w->items.len)
		plan_node_done(w);
}

/* --- the provider --- */

/* The node of the provider configuration that w depends on. */
static const struct plan_provider *provider_of(const struct plan_work *w)
{
	const struct graph *g = w->p->pg->g;

	for (uint32_t e = g->nodes.items[w->node].first; e != GRAPH_NONE;
	     e = g->edges.items[e].next) {
		const struct graph_node *n =
			&g->nodes.items[g->edges.items[e].to];

		if (n->kind == NODE_PROVIDER)
			return n->object;
	}
	return NULL;
}

/* The provider of an object that the configuration does not ask for: as
 * recorded, key included. */
static struct run_provider *recorded_provider(struct job *j)
{
	struct plan *p = j->p;
	const struct plan_provider *pp = provider_of(j->work);
	struct provider_config_addr was = j->it.sr->provider;
	bool keyed = cfg_provider_repeated(pp->config);
	struct diags ignored = DIAGS_INIT(p->arena);
	struct inst_key key = KEY_ABSENT;

	if (j->it.si->provider_key.n && (keyed || !j->work->config)) {
		struct provider_config_addr exact;

		if (!provider_config_parse(
			    p->arena,
			    state_provider_text(p->arena, j->it.sr, j->it.si),
			    &exact, &ignored))
			key = exact.key;
	} else if (keyed && was.alias.n && !pp->addr.alias.n) {
		/* aws.us, which is aws["us"] now */
		key = (struct inst_key){ .kind = KEY_STRING, .s = was.alias };
		was.alias = STR_NONE;
	}
	if (keyed && j->work->config &&
	    !provider_config_same(&pp->addr, &was)) {
		diag_error(&j->w.ds, NULL,
			   "Unable to use fallback provider from state",
			   "%.*s was made by another provider configuration "
			   "than the one that the configuration names now.",
			   STR_ARG(j->w.text));
		return NULL;
	}
	return run_provider_at(p->run, &pp->addr, pp->config, key, j->w.text,
			       j->it.si->deposed, &j->w.ds);
}

static enum worked find_provider(struct worker *w)
{
	struct job *j = job_of(w);

	if (j->it.inst) {
		w->provider =
			run_provider_for(w->module, w->block, &w->rep, &w->ds);
		j->it.inst->provider = w->provider;
	} else {
		w->provider = recorded_provider(j);
	}
	return w->provider ? WORK_NEXT : WORK_FAIL;
}

static enum worked find_schema(struct worker *w)
{
	const size_t before = w->ds.len;

	w->schema = run_resource_schema(w->run, w->provider->addr.provider,
					&w->addr.resource, &w->ds);
	if (w->schema)
		return WORK_NEXT;
	if (w->block && w->ds.len > before)
		w->ds.items[before].subject = w->block->type_at;
	return WORK_FAIL;
}

/* --- what there is to do --- */

static worker_step *const *table_of(const struct job *j)
{
	const struct graph_node *n = &j->p->pg->g->nodes.items[j->work->node];

	if (n->kind == NODE_DESTROY)
		return plan_destroy;
	/* What is read is never deposed: a state that says so was edited. */
	if (j->it.si && j->it.si->deposed.n &&
	    j->w.addr.resource.mode == MODE_MANAGED)
		return plan_deposed;
	if (!j->it.inst)
		return plan_orphan;
	if (n->kind == NODE_DATA)
		return plan_data;
	if (n->kind == NODE_EPHEMERAL)
		return plan_ephemeral;
	return plan_managed;
}

static enum worked dispatch(struct worker *w)
{
	return worker_go(w, table_of(job_of(w)));
}

static worker_step *const with_provider[] = {
	find_provider, worker_get_provider, find_schema, dispatch, NULL,
};

/* --- the beginning --- */

static void begin(struct plan_work *w, size_t item, struct run_slot *s);

struct parked_item { /* an instance whose provider is asleep */
	struct plan_work *w;
	size_t item;
};

static void *parked(struct worker *w)
{
	struct job *j = job_of(w);
	struct parked_item *k = ARENA_NEW(j->p->arena, struct parked_item);

	*k = (struct parked_item){ j->work, j->item };
	return k;
}

static void begin_again(void *data, struct run_slot *s)
{
	struct parked_item *k = data;
	struct plan_work *w = k->w;

	if (!w->p->stopped) {
		begin(w, k->item, s);
		return;
	}
	w->failed = true;
	w->running--;
	run_slot_put(s);
	if (!w->running && w->next == w->items.len)
		plan_node_done(w);
}

static void set_address(struct job *j)
{
	const struct plan_item *it = &j->it;
	struct worker *w = &j->w;

	if (it->inst) {
		ptrdiff_t i = it->inst - it->rr->instances;

		w->addr = run_instance_addr(it->inst);
		w->rep = expansion_repetition(w->a, &it->rr->exp, (size_t)i);
	} else {
		w->addr = (struct instance_addr){ it->sr->module, it->sr->addr,
						  it->si->key };
	}
	w->text = instance_addr_text(w->a, &w->addr);
}

static void begin(struct plan_work *w, size_t item, struct run_slot *s)
{
	static const struct worker_ops ops = { .end = end,
					       .parked = parked,
					       .begin = begin_again };
	struct job *j = ARENA_NEW(&s->arena, struct job);
	struct plan *p = w->p;

	j->p = p;
	j->work = w;
	j->item = item;
	j->it = w->items.items[item];
	j->w.ops = &ops;
	j->w.run = p->run;
	j->w.slot = s;
	j->w.a = &s->arena;
	j->w.ds = (struct diags)DIAGS_INIT(p->arena);
	j->w.module = j->it.rr ? j->it.rr->module : NULL;
	j->w.block = w->config;
	j->w.only_warn = p->skip_changes || p->pre_destroy;
	set_address(j);
	/* Forgetting a data source needs no provider. */
	worker_begin(&j->w, !j->it.inst && j->w.addr.resource.mode == MODE_DATA
				    ? table_of(j)
				    : with_provider);
}

/* Stopped: work that has not begun is left out. */
static void skip_rest(struct plan_work *w, struct run_slot *s)
{
	w->failed = true;
	w->next = w->items.len;
	run_slot_put(s);
	if (!w->running)
		plan_node_done(w);
}

static void next_job(void *data, struct run_slot *s)
{
	struct plan_work *w = data;
	size_t item;

	if (w->p->stopped) {
		skip_rest(w, s);
		return;
	}
	item = w->next++;
	w->running++;
	plan_work_queue(w);
	begin(w, item, s);
}
