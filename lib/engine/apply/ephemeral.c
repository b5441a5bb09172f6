/*
 * ephemeral.c - ephemeral resources: opened when they are needed, renewed
 * while the run lasts, closed at its end
 *
 * Their values are seen by references and never kept.
 */
#include <time.h>

#include "engine/apply/apply_int.h"
#include "state/state_value.h"

struct ephemeral { /* an instance */
	struct apply *ap;
	struct ephemeral_node *of;
	struct arena arena;
	struct instance_addr addr;
	struct run_module *module;
	struct run_instance *inst;
	struct repetition rep;
	struct run_provider *provider;
	const struct resource_schema *schema;
	struct diags ds;
	struct provider_request q;
	struct str private_data;
	uint64_t renew_at_ms;
	struct loop_timer *renewal;
	bool open;
};

struct ephemeral_node { /* all instances of a resource */
	struct apply *ap;
	uint32_t node;
	size_t left;
	bool failed;
};

static void node_done(struct ephemeral_node *n)
{
	graph_walk_done(n->ap->walk, n->node, n->failed);
}

static void instance_done(struct ephemeral *e)
{
	struct ephemeral_node *n = e->of;

	n->failed |= diags_failed(&e->ds);
	diags_append(e->ap->ds, &e->ds);
	e->ds.len = e->ds.errors = 0;
	if (--n->left == 0)
		node_done(n);
}

static void call(struct ephemeral *e, enum provider_call what,
		 void (*done)(struct provider_request *))
{
	e->q.call = what;
	e->q.arena = &e->arena;
	e->q.mode = MODE_EPHEMERAL;
	e->q.type = e->addr.resource.type;
	e->q.address = instance_addr_text(&e->arena, &e->addr);
	e->q.private_in = e->private_data;
	e->q.diags = (struct diags)DIAGS_INIT(&e->arena);
	e->q.done = done;
	e->q.data = e;
	provider_start(e->provider->provider, &e->q);
}

static void take_diags(struct ephemeral *e)
{
	run_provider_diags(&e->ds, &e->q, e->inst->resource->config->body,
			   e->q.address);
}

/* --- renewing --- */

static void plan_renewal(struct ephemeral *e);

static void renewed(struct provider_request *q)
{
	struct ephemeral *e = q->data;

	take_diags(e);
	event_ephemeral(&e->ap->events, &e->addr, "Renew complete", true);
	if (!diags_failed(&e->ds)) {
		e->private_data = q->private_out;
		e->renew_at_ms = q->renew_at_ms;
		plan_renewal(e);
	}
	diags_append(e->ap->ds, &e->ds);
	e->ds.len = e->ds.errors = 0;
}

static void renew(void *data)
{
	struct ephemeral *e = data;

	e->renewal = NULL;
	event_ephemeral(&e->ap->events, &e->addr, "Renewing...", false);
	e->q = (struct provider_request){ .config = NULL };
	call(e, CALL_RENEW_EPHEMERAL, renewed);
}

static void plan_renewal(struct ephemeral *e)
{
	struct timespec ts;
	uint64_t now;

	if (!e->renew_at_ms)
		return;
	clock_gettime(CLOCK_REALTIME, &ts);
	now = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	e->renewal = loop_after(e->ap->loop,
				e->renew_at_ms > now ? e->renew_at_ms - now
						     : 0,
				renew, e);
}

/* --- opening --- */

static void set_value(struct ephemeral *e, const struct value *v)
{
	struct arena *a = e->ap->run->arena;

	v = schema_mark_sensitive(&e->arena, v, e->schema->block);
	v = value_copy(a, v);
	run_instance_set(e->inst, value_with_marks(a, v, &marks_ephemeral));
}

static int conditions(struct ephemeral *e, enum condition_kind kind,
		      const struct value *self)
{
	const struct cfg_lifecycle *l = e->inst->resource->config->lifecycle;
	struct condition_use u = {
		.kind = kind,
		.address = instance_addr_text(&e->arena, &e->addr),
	};
	struct run_scope s;

	run_scope_init(&s, e->module, &e->rep);
	s.self = self;
	return run_conditions(e->ap->run, &s, &u,
			      kind == COND_PRECONDITION ? &l->preconditions
							: &l->postconditions,
			      &e->ds);
}

static void postconditions(void *data)
{
	struct ephemeral *e = data;
	const struct run_mark mark = run_mark(e->ap->run, &e->ds);

	conditions(e, COND_POSTCONDITION, e->inst->value);
	if (!run_must_wait(&mark, postconditions, e))
		instance_done(e);
}

static void opened(struct provider_request *q)
{
	struct ephemeral *e = q->data;

	take_diags(e);
	event_ephemeral(&e->ap->events, &e->addr, "Open complete", true);
	if (!diags_failed(&e->ds)) {
		e->open = true;
		e->private_data = q->private_out;
		e->renew_at_ms = q->renew_at_ms;
		vec_push(e->ap->arena, &e->ap->opened, e);
		set_value(e, q->state);
		plan_renewal(e);
		postconditions(e);
		return;
	}
	instance_done(e);
}

static const struct value *config(struct ephemeral *e)
{
	const struct cfg_resource *c = e->inst->resource->config;
	const struct value *v;
	struct run_scope s;

	run_scope_init(&s, e->module, &e->rep);
	v = body_decode(&e->arena, c->body, e->schema->block, &s.scope, NULL,
			&e->ds);
	if (s.failed && !diags_failed(&e->ds))
		e->ds.errors++;
	if (!diags_failed(&e->ds) && !value_wholly_known(v))
		diag_error(&e->ds, &c->at,
			   "Incomplete configuration for ephemeral resource",
			   "The configuration of %.*s holds unknown values.",
			   STR_ARG(instance_addr_text(e->ds.arena, &e->addr)));
	return diags_failed(&e->ds)
		       ? NULL : value_unmark_deep(&e->arena, v, NULL);
}

static void open(void *data)
{
	struct ephemeral *e = data;
	const struct run_mark mark = run_mark(e->ap->run, &e->ds);

	e->q = (struct provider_request){ .config = NULL };
	if (conditions(e, COND_PRECONDITION, NULL) == 0)
		e->q.config = config(e);
	if (run_must_wait(&mark, open, e))
		return;
	if (!e->q.config) {
		instance_done(e);
		return;
	}
	event_ephemeral(&e->ap->events, &e->addr, "Opening...", false);
	call(e, CALL_OPEN_EPHEMERAL, opened);
}

static void provider_ready(void *data, struct run_provider *p)
{
	struct ephemeral *e = data;

	if (p->state == PROVIDER_READY) {
		open(e);
		return;
	}
	if (!diags_failed(&e->ds))
		e->ds.errors++;
	instance_done(e);
}

static void open_instance(struct ephemeral_node *n, struct run_module *m,
			  struct run_resource *rr, size_t i)
{
	struct ephemeral *e = ARENA_NEW(n->ap->arena, struct ephemeral);
	const struct cfg_resource *c = rr->config;

	e->ap = n->ap;
	e->of = n;
	e->ds = (struct diags)DIAGS_INIT(n->ap->arena);
	e->module = m;
	e->inst = &rr->instances[i];
	e->addr = run_instance_addr(e->inst);
	e->rep = expansion_repetition(n->ap->arena, &rr->exp, i);
	n->left++;
	e->schema = run_resource_schema(n->ap->run, c->provider, &c->addr,
					&e->ds);
	if (e->schema)
		e->provider = run_provider_for(m, c, &e->rep, &e->ds);
	else if (!diags_failed(&e->ds)) /* why was told to who asked first */
		e->ds.errors++;
	if (e->provider)
		run_provider_get(n->ap->run, e->provider, provider_ready, e);
	else
		instance_done(e);
}

void apply_ephemerals(struct apply *ap, uint32_t node)
{
	const struct apply_node *an = apply_node(ap->graph, node);
	struct ephemeral_node *n = ARENA_NEW(ap->arena, struct ephemeral_node);
	struct run_module_vec modules = { NULL, 0, 0 };
	size_t errors = ap->ds->errors;
	bool failed = false;

	*n = (struct ephemeral_node){ .ap = ap, .node = node, .left = 1 };
	if (an->needed)
		run_modules(ap->run, an->config->module, &modules, &failed,
			    ap->ds);
	for (size_t i = 0; i < modules.len; i++) {
		struct run_resource *rr = run_resource(
			modules.items[i], &an->config->addr, ap->ds);

		for (size_t k = 0; rr && k < rr->exp.n; k++)
			open_instance(n, modules.items[i], rr, k);
	}
	n->failed |= failed || ap->ds->errors > errors;
	if (--n->left == 0)
		node_done(n);
}

/* --- closing --- */

static void closed(struct provider_request *q)
{
	struct ephemeral *e = q->data;
	struct apply *ap = e->ap;

	take_diags(e);
	event_ephemeral(&ap->events, &e->addr, "Close complete", true);
	diags_append(ap->ds, &e->ds);
	arena_release(&e->arena);
	if (--ap->closing == 0)
		apply_finish(ap);
}

/* Then the run is finished. */
void apply_close_ephemerals(struct apply *ap)
{
	ap->closing = 1;
	for (size_t i = 0; i < ap->opened.len; i++) {
		struct ephemeral *e = ap->opened.items[i];

		loop_cancel(e->renewal);
		ap->closing++;
		event_ephemeral(&ap->events, &e->addr, "Closing...", false);
		e->q = (struct provider_request){ .config = NULL };
		call(e, CALL_CLOSE_EPHEMERAL, closed);
	}
	if (--ap->closing == 0)
		apply_finish(ap);
}
