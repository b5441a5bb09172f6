/*
 * work.c - a resource's node: its instances, each a job in a slot
 *
 * A node has one place in the queue for slots, however many instances it has;
 * when its turn comes it starts the next one and queues again.
 */
#include "engine/plan/plan_int.h"

static void next_job(void *data, struct run_slot *s);

static void queue(struct plan_work *w)
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
	diags_append(&w->diags, &j->ds);
	w->running--;
	run_slot_put(j->slot);
	if (w->first_alone && w->next == 1) {
		if (w->failed)
			w->next = w->items.len;
		queue(w);
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
	bool keyed = pp->config && pp->config->for_each.root;
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

static bool job_provider(struct job *j)
{
	struct plan *p = j->p;

	if (j->it.inst) {
		j->provider = run_provider_for(j->it.rr->module, j->w->config,
					       &j->rep, &j->ds);
		j->it.inst->provider = j->provider;
	} else {
		j->provider = recorded_provider(j);
	}
	if (!j->provider || j->provider->state != PROVIDER_READY)
		return false;
	j->schema = run_resource_schema(p->run, j->provider->addr.provider,
					&j->addr.resource, &j->ds);
	return j->schema != NULL;
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

static void start(struct job *j)
{
	/* What forgets a data source needs nobody. */
	if (!j->it.inst && j->addr.resource.mode == MODE_DATA)
		dispatch(j);
	else if (!job_provider(j))
		job_fail(j);
	else
		dispatch(j);
}

static void next_job(void *data, struct run_slot *s)
{
	struct plan_work *w = data;
	struct job *j = ARENA_NEW(&s->arena, struct job);

	j->p = w->p;
	j->w = w;
	j->slot = s;
	j->a = &s->arena;
	j->it = w->items.items[w->next++];
	j->ds = (struct diags)DIAGS_INIT(w->p->arena);
	w->running++;
	queue(w);
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

static void begin(struct plan_work *w)
{
	if (!w->items.len)
		plan_node_done(w);
	else
		queue(w);
}

bool plan_wanted(struct plan *p, uint32_t node, const struct instance_addr *i)
{
	const struct run_options *o = &p->run->opts;

	return plan_graph_wanted(p->pg, node, i, o->targets, o->ntargets,
				 o->excludes, o->nexcludes);
}

struct check_object *plan_check_object(struct plan *p,
				       const struct cfg_resource *c,
				       const struct instance_addr *i)
{
	struct check_group *g;
	struct buf b = BUF_INIT;
	struct check_object *o;

	if (!c->lifecycle.preconditions.len && !c->lifecycle.postconditions.len)
		return NULL;
	g = checks_group(&p->run->checks, c->module, CHECK_RESOURCE,
			 STR_NONE, &c->addr);
	instance_addr_print(&b, i);
	o = checks_object(&p->run->checks, g, i->module, i->key,
			  buf_view(&b));
	buf_release(&b);
	return o;
}

static void add_item(struct plan_work *w, struct run_resource *rr,
		     struct run_instance *inst, struct state_resource *sr,
		     struct state_instance *si)
{
	struct plan_item it = { rr, inst, sr, si };

	vec_push(w->p->arena, &w->items, it);
}

static void add_instances(struct plan_work *w, struct run_resource *rr)
{
	for (size_t i = 0; i < rr->exp.n; i++) {
		struct run_instance *inst = &rr->instances[i];
		struct instance_addr addr = run_instance_addr(inst);
		struct state_instance *si =
			rr->prior ? state_instance(rr->prior, inst->key)
				  : NULL;

		plan_check_object(w->p, rr->config, &addr);
		inst->excluded = !plan_wanted(w->p, w->node, &addr);
		if (!inst->excluded)
			add_item(w, rr, inst, rr->prior, si);
	}
}

/* What references still see of an instance that is no longer asked for. */
static void keep_visible(struct plan_work *w, struct run_resource *rr,
			 struct inst_key key)
{
	struct run_instance *x =
		ARENA_NEW(w->p->arena, struct run_instance);

	x->resource = rr;
	x->key = key;
	vec_push(w->p->arena, &rr->extra, x);
}

/* Instances of the state that the configuration no longer asks for. rr NULL:
 * the whole module instance is gone. */
static void add_orphans(struct plan_work *w, struct run_resource *rr,
			struct state_resource *sr)
{
	struct state_instance **sorted;

	if (!sr)
		return;
	sorted = state_instances_sorted(w->p->arena, sr);
	for (size_t i = 0; i < sr->instances.len; i++) {
		struct state_instance *si = sorted[i];
		struct instance_addr addr = { sr->module, sr->addr, si->key };

		if (si->deposed.n ||
		    (rr && expansion_index(&rr->exp, si->key) >= 0))
			continue;
		if (plan_wanted(w->p, w->node, &addr))
			add_item(w, rr, NULL, sr, si);
		if (rr && (!plan_wanted(w->p, w->node, &addr) ||
			   w->p->skip_changes))
			keep_visible(w, rr, si->key);
	}
}

/* The resource in module instances that exist no more. */
static void add_lost_modules(struct plan_work *w)
{
	struct plan *p = w->p;
	struct str at = p->pg->g->nodes.items[w->node].address;
	struct state_resource_vec *all = map_get(&p->by_config, at);

	for (size_t i = 0; all && i < all->len; i++)
		if (!run_module(p->run, all->items[i]->module, &w->diags))
			add_orphans(w, NULL, all->items[i]);
}

/* -replace with an address that names no instance. */
static void check_replace(struct plan_work *w, const struct run_resource *rr)
{
	const struct run_options *o = &w->p->run->opts;
	struct buf hint = BUF_INIT;

	if (rr->exp.kind == EXPAND_SINGLE && rr->exp.n == 1)
		return;
	for (size_t i = 0; i < o->nreplace; i++) {
		const struct instance_addr *r = &o->replace[i];

		if (r->key.kind != KEY_NONE ||
		    !resource_addr_equal(r->resource, rr->config->addr))
			continue;
		buf_set_len(&hint, 0);
		for (size_t k = 0; k < rr->exp.n; k++) {
			struct instance_addr a =
				run_instance_addr(&rr->instances[k]);

			buf_puts(&hint, "\n  -replace='");
			instance_addr_print(&hint, &a);
			buf_putc(&hint, '\'');
		}
		diag_warning(&w->diags, NULL,
			     "Incompletely-matched force-replace resource "
			     "instance",
			     "-replace=%.*s names no instance: %s%.*s",
			     STR_ARG(instance_addr_text(w->p->arena, r)),
			     rr->exp.n ? "the resource has several, by key:"
				       : "the resource has none.",
			     STR_ARG(buf_view(&hint)));
	}
	buf_release(&hint);
}

static void find_self_references(struct plan_work *w)
{
	struct traversal_vec v = { 0 };
	struct diags ignored = DIAGS_INIT(w->p->arena);

	body_variables_unshaped(w->p->arena, w->config->body, &v);
	for (size_t i = 0; i < v.len; i++) {
		struct reference r;

		if (reference_parse(w->p->arena, &v.items[i], &r, &ignored) ||
		    r.kind != REF_RESOURCE ||
		    !resource_addr_equal(r.resource, w->config->addr))
			continue;
		vec_push(w->p->arena, &w->self_refs, r);
	}
}

/* Is there an instance that the others refer to? Then it comes first. */
static void order_instances(struct plan_work *w)
{
	for (size_t i = 0; i < w->self_refs.len; i++) {
		struct inst_key key = w->self_refs.items[i].key;

		for (size_t k = 0; key.kind != KEY_NONE && k < w->items.len;
		     k++) {
			struct plan_item it = w->items.items[k];

			if (!it.inst || !key_equal(it.inst->key, key))
				continue;
			w->items.items[k] = w->items.items[0];
			w->items.items[0] = it;
			w->first_alone = true;
			return;
		}
	}
}

/* Until all that is evaluated for it is known, again and again. */
static void expand(void *data)
{
	struct plan_work *w = data;
	struct plan *p = w->p;
	const struct run_mark mark = run_mark(p->run, &w->diags);
	struct run_module_vec modules = { 0 };
	bool failed = false;

	run_modules(p->run, w->config->module, &modules, &failed, &w->diags);
	plan_imports_resolve(w);
	for (size_t i = 0; i < modules.len; i++)
		run_resource(modules.items[i], &w->config->addr, &w->diags);
	if (run_must_wait(&mark, expand, w))
		return;
	plan_imports_add(w);
	for (size_t i = 0; i < modules.len; i++) {
		struct run_resource *rr = run_resource(
			modules.items[i], &w->config->addr, &w->diags);

		if (rr->exp.kind == EXPAND_FAILED) {
			failed = true;
			continue;
		}
		check_replace(w, rr);
		add_instances(w, rr);
		add_orphans(w, rr, rr->prior);
	}
	add_lost_modules(w);
	if (failed || diags_failed(&w->diags)) {
		w->failed = true;
		w->items.len = 0;
	} else {
		checks_expanded(&p->run->checks, w->config->module,
				CHECK_RESOURCE, STR_NONE, &w->config->addr);
	}
	order_instances(w);
	begin(w);
}

void plan_resource(struct plan_work *w)
{
	struct plan *p = w->p;

	w->config = p->pg->g->nodes.items[w->node].object;
	w->dependencies = plan_graph_dependencies(p->arena, p->pg, w->node,
						  &w->ndependencies);
	if (w->config->addr.mode != MODE_MANAGED)
		plan_graph_data_waits(p->arena, p->pg, w->node, &w->waits);
	find_self_references(w);
	expand(w);
}

/* Orphans, deposed objects, and all that is to be destroyed. */
void plan_state_resource(struct plan_work *w)
{
	struct plan *p = w->p;
	const struct graph_node *n = &p->pg->g->nodes.items[w->node];
	struct state_resource *sr = n->object;
	struct state_instance **sorted =
		state_instances_sorted(p->arena, sr);
	uint32_t at = plan_node(p->pg, w->node)->state_index;

	if (n->module)
		w->config = config_resource(n->module, &sr->addr);
	for (size_t i = 0; i < sr->instances.len; i++) {
		struct state_instance *si = sorted[i];
		struct instance_addr addr = { sr->module, sr->addr, si->key };
		bool wanted = p->mode == RUN_DESTROY
				      ? p->destroy.wanted[at][si->slot]
				      : plan_wanted(p, w->node, &addr);

		if (!si->deposed.n == (n->kind != NODE_DEPOSED) && wanted)
			add_item(w, NULL, NULL, sr, si);
	}
	begin(w);
}
