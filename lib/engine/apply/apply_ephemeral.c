/*
 * apply_ephemeral.c - ephemeral resources: opened when they are needed, renewed
 * while the run lasts, closed at its end
 *
 * Their values are seen by references and never kept.
 */
#include <time.h>

#include "engine/apply/apply_int.h"
#include "engine/change/events.h"
#include "engine/run/mock.h"
#include "engine/run/conditions.h"
#include "engine/run/expand.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "graph/graph.h"
#include "value/marks.h"

struct ephemeral { /* an instance; it outlives its opening */
	struct worker w;
	struct apply *ap;
	struct ephemeral_node *of;
	struct arena arena;
	struct run_instance *inst;
	struct str private_data;
	uint64_t renew_at_ms;
	struct loop_timer *renewal;
};

static struct ephemeral *ephemeral_of(struct worker *w)
{
	return (struct ephemeral *)w;
}

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

static void report(struct ephemeral *e)
{
	diags_append(e->ap->ds, &e->w.ds);
	diags_clear(&e->w.ds);
}

static void end(struct worker *w, bool failed)
{
	struct ephemeral *e = ephemeral_of(w);
	struct ephemeral_node *n = e->of;

	n->failed |= failed || worker_failed(w);
	report(e);
	if (--n->left == 0)
		node_done(n);
}

/* Calls about what is open, beside the worker's steps. */
static void call(struct ephemeral *e, enum provider_call what,
		 void (*done)(struct provider_request *))
{
	struct provider_request *q = &e->w.q;

	*q = (struct provider_request){
		.call = what,
		.arena = &e->arena,
		.mode = MODE_EPHEMERAL,
		.type = e->w.addr.resource.type,
		.address = e->w.text,
		.renew.in.private_data = e->private_data,
		.diags = DIAGS_INIT(&e->arena),
		.done = done,
		.data = e,
	};
	mock_or_start(e->w.provider, q);
}

static void take_diags(struct ephemeral *e)
{
	run_provider_diags(&e->w.ds, &e->w.q, e->w.block->body, e->w.text);
}

static void tell(struct ephemeral *e, const char *message, bool complete)
{
	event_ephemeral(&e->ap->events, &e->w.addr, message, complete);
}

/* --- renewing --- */

static void plan_renewal(struct ephemeral *e);

static void renewed(struct provider_request *q)
{
	struct ephemeral *e = q->data;

	take_diags(e);
	tell(e, "Renew complete", true);
	if (!worker_failed(&e->w)) {
		e->private_data = q->renew.out.private_data;
		e->renew_at_ms = q->renew.out.renew_at_ms;
		plan_renewal(e);
	}
	report(e);
}

static void renew(void *data)
{
	struct ephemeral *e = data;

	e->renewal = NULL;
	tell(e, "Renewing...", false);
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
				e->renew_at_ms > now ? e->renew_at_ms - now : 0,
				renew, e);
}

/* --- opening --- */

static enum worked find_provider(struct worker *w)
{
	w->schema = run_resource_schema(w->run, w->block->provider,
					&w->addr.resource, &w->ds);
	if (w->schema)
		w->provider =
			run_provider_for(w->module, w->block, &w->rep, &w->ds);
	return w->provider ? WORK_NEXT : WORK_FAIL;
}

static enum worked configure(struct worker *w)
{
	if (worker_conditions(w, COND_PRECONDITION, NULL, NULL))
		return WORK_FAIL;
	w->config = worker_body(w);
	if (!w->config)
		return WORK_FAIL;
	if (!value_wholly_known(w->config)) {
		diag_error(&w->ds, &w->block->at,
			   "Incomplete configuration for ephemeral resource",
			   "The configuration of %.*s holds unknown values.",
			   STR_ARG(w->text));
		return WORK_FAIL;
	}
	w->q.open.in.config = value_unmark_deep(w->a, w->config, NULL);
	return WORK_NEXT;
}

static enum worked begin_open(struct worker *w)
{
	tell(ephemeral_of(w), "Opening...", false);
	w->keep_on = true; /* the opening was reported: so is its end */
	return worker_call(w, CALL_OPEN_EPHEMERAL);
}

static void set_value(struct ephemeral *e, const struct value *v)
{
	struct arena *a = e->ap->run->arena;

	v = schema_mark_sensitive(&e->arena, v, e->w.schema->block);
	v = value_copy(a, v);
	run_instance_set(e->inst, value_with_marks(a, v, &marks_ephemeral));
}

static enum worked ephemeral_opened(struct worker *w)
{
	struct ephemeral *e = ephemeral_of(w);

	tell(e, "Open complete", true);
	if (worker_failed(w))
		return WORK_FAIL;
	e->private_data = w->q.open.out.private_data;
	e->renew_at_ms = w->q.open.out.renew_at_ms;
	vec_push(e->ap->arena, &e->ap->opened, e);
	set_value(e, w->q.open.out.value);
	plan_renewal(e);
	return WORK_NEXT;
}

static enum worked postconditions(struct worker *w)
{
	worker_conditions(w, COND_POSTCONDITION, ephemeral_of(w)->inst->value,
			  NULL);
	return WORK_END;
}

static worker_step *const open_steps[] = {
	find_provider,    worker_get_provider, configure, begin_open,
	ephemeral_opened, postconditions,      NULL,
};

static void open_instance(struct ephemeral_node *n, struct run_module *m,
			  struct run_resource *rr, size_t i)
{
	static const struct worker_ops ops = { .end = end };
	struct apply *ap = n->ap;
	struct ephemeral *e = ARENA_NEW(ap->arena, struct ephemeral);

	e->ap = ap;
	e->of = n;
	e->inst = &rr->instances[i];
	e->w.ops = &ops;
	e->w.run = ap->run;
	e->w.a = &e->arena;
	e->w.ds = (struct diags)DIAGS_INIT(ap->arena);
	e->w.addr = run_instance_addr(e->inst);
	e->w.text = instance_addr_text(e->w.a, &e->w.addr);
	e->w.module = m;
	e->w.block = rr->config;
	e->w.rep = expansion_repetition(ap->arena, &rr->exp, i);
	n->left++;
	worker_begin(&e->w, open_steps);
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
		struct run_resource *rr =
			run_resource(modules.items[i], &an->config->addr,
				     ap->ds);

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
	tell(e, "Close complete", true);
	report(e);
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
		tell(e, "Closing...", false);
		call(e, CALL_CLOSE_EPHEMERAL, closed);
	}
	if (--ap->closing == 0)
		apply_finish(ap);
}
