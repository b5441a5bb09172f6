/*
 * job.c - the work on one instance, in a slot
 *
 * A node has one place in the queue for slots, however many instances it has;
 * when its turn comes it starts the next one and queues again.
 */
#include "engine/plan/plan_int.h"

static void next_job(void *data, struct run_slot *s);

void plan_work_queue(struct plan_work *w)
{
	if (w->first_alone && w->next == 1 && w->running)
		return;
	if (w->next < w->items.len)
		run_slot_get(w->p->run, next_job, w);
}

void job_scope(struct job *j, struct run_scope *s)
{
	run_scope_init(s, j->it.rr->module, &j->rep);
}

void job_step(struct job *j, void (*step)(struct job *))
{
	j->step = step;
	j->mark = run_mark(j->p->run, &j->ds);
	step(j);
}

static void again(void *data)
{
	struct job *j = data;

	job_step(j, j->step);
}

bool job_must_wait(struct job *j)
{
	return run_must_wait(&j->mark, again, j);
}

static void finish(struct job *j)
{
	struct plan_work *w = j->w;

	if (diags_failed(&j->ds))
		w->failed = true;
	if (j->ds.len)
		w->items.items[j->item].diags = arena_dup(w->p->arena, &j->ds,
							  sizeof(j->ds));
	w->running--;
	run_slot_put(j->slot);
	if (w->first_alone && w->next == 1) {
		if (w->failed)
			w->next = w->items.len;
		plan_work_queue(w);
	}
	if (!w->running && w->next == w->items.len)
		plan_node_done(w);
}

void job_end(struct job *j)
{
	if (!job_must_wait(j))
		finish(j);
}

void job_fail(struct job *j)
{
	if (job_must_wait(j))
		return;
	j->w->failed = true;
	if (j->it.inst)
		j->it.inst->failed = true;
	job_keep_generated(j);
	finish(j);
}

static void called(struct provider_request *q)
{
	struct job *j = q->data;
	const struct body *body = j->w->config ? j->w->config->body : NULL;

	if (j->plan.quiet && !diags_failed(&q->diags))
		q->diags.len = 0;
	if (run_provider_diags(&j->ds, q, body, j->text) && !j->keep_on)
		job_step(j, job_fail);
	else
		job_step(j, j->then);
}

void job_call(struct job *j, enum provider_call call,
	      void (*then)(struct job *))
{
	struct provider_request *q = &j->q;

	if (job_must_wait(j))
		return;
	q->call = call;
	q->arena = j->a;
	q->mode = j->addr.resource.mode;
	q->type = j->addr.resource.type;
	q->address = j->text;
	q->diags = (struct diags)DIAGS_INIT(j->p->arena);
	q->diag_paths = (struct path_vec){ NULL, 0, 0 };
	q->done = called;
	q->data = j;
	j->then = then;
	provider_start(j->provider->provider, q);
}

static bool same_configuration(const struct provider_config_addr *x,
			       const struct provider_config_addr *y)
{
	return provider_addr_equal(x->provider, y->provider) &&
	       str_eq(x->alias, y->alias) &&
	       module_addr_equal(x->module, y->module);
}

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
	const struct plan_provider *pp = provider_of(j->w);
	struct provider_config_addr was = j->it.sr->provider;
	bool keyed = cfg_provider_repeated(pp->config);
	struct diags ignored = DIAGS_INIT(p->arena);
	struct inst_key key = KEY_ABSENT;

	if (j->it.si->provider_key.n && (keyed || !j->w->config)) {
		struct provider_config_addr exact;

		if (!provider_config_parse(p->arena,
					   state_provider_text(p->arena,
							       j->it.sr,
							       j->it.si),
					   &exact, &ignored))
			key = exact.key;
	} else if (keyed && was.alias.n && !pp->addr.alias.n) {
		/* aws.us, which is aws["us"] now */
		key = (struct inst_key){ .kind = KEY_STRING, .s = was.alias };
		was.alias = STR_NONE;
	}
	if (keyed && j->w->config && !same_configuration(&pp->addr, &was)) {
		diag_error(&j->ds, NULL,
			   "Unable to use fallback provider from state",
			   "%.*s was made by another provider configuration "
			   "than the one that the configuration names now.",
			   STR_ARG(j->text));
		return NULL;
	}
	return run_provider_at(p->run, &pp->addr, pp->config, key, j->text,
			       j->it.si->deposed, &j->ds);
}

static void find_provider(struct job *j)
{
	if (j->it.inst) {
		j->provider = run_provider_for(j->it.rr->module, j->w->config,
					       &j->rep, &j->ds);
		j->it.inst->provider = j->provider;
	} else {
		j->provider = recorded_provider(j);
	}
}

static void dispatch(struct job *j)
{
	const struct graph_node *n = &j->p->pg->g->nodes.items[j->w->node];

	if (n->kind == NODE_DESTROY) {
		plan_destroy(j);
	} else if (j->it.si && j->it.si->deposed.n) {
		plan_deposed(j);
	} else if (!j->it.inst) {
		plan_orphan(j);
	} else if (n->kind == NODE_DATA) {
		plan_data(j);
	} else if (n->kind == NODE_EPHEMERAL) {
		plan_ephemeral(j);
	} else {
		plan_managed(j);
	}
}

static void with_provider(struct job *j)
{
	if (j->provider->state == PROVIDER_READY)
		j->schema = run_resource_schema(j->p->run,
						j->provider->addr.provider,
						&j->addr.resource, &j->ds);
	if (j->schema)
		dispatch(j);
	else
		job_fail(j);
}

static void provider_settled(void *data, struct run_provider *p)
{
	(void)p;
	job_step(data, with_provider);
}

static void begin(struct plan_work *w, size_t item, struct run_slot *s);

struct parked { /* an instance whose provider is asleep */
	struct plan_work *w;
	size_t item;
};

static void resume(void *data, struct run_slot *s)
{
	struct parked *k = data;
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

static void unpark(void *data)
{
	struct parked *k = data;

	run_slot_get(k->w->p->run, resume, k);
}

/* Nothing was done yet: it begins again when the provider is awake, and others
 * take its slot meanwhile. */
static void park(struct job *j)
{
	struct run *r = j->p->run;
	struct run_provider *p = j->provider;
	struct parked *k = ARENA_NEW(j->p->arena, struct parked);

	*k = (struct parked){ j->w, j->item };
	run_slot_put(j->slot); /* j is gone */
	run_provider_wake(r, p, unpark, k);
}

static void start(struct job *j)
{
	/* What forgets a data source needs nobody. */
	if (!j->it.inst && j->addr.resource.mode == MODE_DATA) {
		dispatch(j);
		return;
	}
	find_provider(j);
	if (!j->provider)
		job_fail(j);
	else if (run_provider_asleep(j->p->run, j->provider))
		park(j);
	else if (j->provider->state == PROVIDER_IDLE ||
		 j->provider->state == PROVIDER_STARTING)
		run_provider_get(j->p->run, j->provider, provider_settled, j);
	else
		with_provider(j);
}

/* Stopped: what was not begun is left out. */
static void skip_rest(struct plan_work *w, struct run_slot *s)
{
	w->failed = true;
	w->next = w->items.len;
	run_slot_put(s);
	if (!w->running)
		plan_node_done(w);
}

static void begin(struct plan_work *w, size_t item, struct run_slot *s)
{
	struct job *j = ARENA_NEW(&s->arena, struct job);

	j->p = w->p;
	j->w = w;
	j->slot = s;
	j->a = &s->arena;
	j->item = item;
	j->it = w->items.items[item];
	j->ds = (struct diags)DIAGS_INIT(w->p->arena);
	if (j->it.inst) {
		ptrdiff_t i = j->it.inst - j->it.rr->instances;

		j->addr = run_instance_addr(j->it.inst);
		j->rep = expansion_repetition(j->a, &j->it.rr->exp,
					      (size_t)i);
	} else {
		j->addr = (struct instance_addr){ j->it.sr->module,
						  j->it.sr->addr,
						  j->it.si->key };
	}
	j->text = instance_addr_text(j->a, &j->addr);
	job_step(j, start);
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
