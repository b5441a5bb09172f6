/*
 * validate.c - the validate walk: is the configuration right, whatever the
 * values of variables and the state?
 *
 * Every expression is evaluated with unknown values and checked against the
 * schemas; providers validate what their resources are given.  Nodes are
 * visited in the order of the graph; those that depend on a wrong one are left
 * out, as their errors may follow from it.
 */
#include "config/check/refs.h"
#include "config/decode/decode.h"
#include "engine/run/conditions.h"
#include "engine/run/expand.h"
#include "engine/run/providers.h"
#include "engine/run/run_int.h"
#include "engine/run/values.h"
#include "engine/run/run.h"
#include "engine/validate/validate_int.h"
#include "graph/graph.h"
#include "provider/open.h"

static void end(struct worker *w, bool failed)
{
	struct visit *x = visit_of(w);
	struct validation *v = x->v;
	uint32_t node = x->node;

	failed |= worker_failed(w);
	if (w->ds.len)
		v->diags[node] = arena_dup(v->arena, &w->ds, sizeof(w->ds));
	if (w->slot)
		run_slot_put(w->slot); /* x is gone */
	else
		arena_reset(&v->scratch);
	graph_walk_done(v->walk, node, failed);
}

/* count and for_each: only what is known can be wrong. */
void visit_repetition(struct visit *x, struct expression count,
		      struct expression for_each, bool module)
{
	struct diags own = DIAGS_INIT(x->w.ds.arena);
	struct expression e = count.root ? count : for_each;
	struct expansion exp;

	if (!e.root || visit_expression(x, e))
		return;
	expansion_compute(x->w.module, count, for_each, EXPRESSION_NONE, &exp,
			  &own);
	if (module || exp.kind != EXPAND_UNKNOWN)
		diags_append(&x->w.ds, &own);
}

/* References are the caller's. */
static void visit_argument(struct visit *x, const struct attribute *arg)
{
	struct run_module *own = x->w.module;

	x->w.module = own->parent;
	x->place.count = x->place.each = true;
	visit_expression(x, arg->expr);
	x->place.count = x->place.each = false;
	x->w.module = own;
}

static void validate_variable(struct visit *x, const struct cfg_variable *v)
{
	const struct condition_use rules = visit_conditions(x, COND_VALIDATION);
	const struct attribute *arg =
		x->w.module->parent ? run_module_argument(x->w.module, v->name)
				    : NULL;
	bool failed = false;

	if (arg)
		visit_argument(x, arg);
	if (!diags_failed(&x->w.ds))
		run_variable(x->w.module, v, &failed, &x->w.ds);
	if (diags_failed(&x->w.ds))
		return;
	if (arg)
		config_warn_dropped(arg->expr, v->type,
				    arena_printf(x->w.a, "variable \"%.*s\"",
						 STR_ARG(v->name)),
				    &x->w.ds);
	variable_validate(x->w.module, v, &rules, &x->w.ds);
}

static void validate_local(struct visit *x, const struct cfg_local *l)
{
	bool failed = false;

	if (!visit_local(x, l))
		run_local(x->w.module, l, &failed, &x->w.ds);
}

static void validate_output(struct visit *x, const struct cfg_output *o)
{
	const struct condition_use use = visit_conditions(x, COND_OUTPUT);
	const struct value *v;
	bool failed = false;
	struct run_scope s;

	run_scope_init(&s, x->w.module, NULL);
	if (run_conditions(x->v->run, &s, &use, &o->preconditions, &x->w.ds))
		return;
	failed = visit_expression(x, o->value) != 0;
	visit_depends_on(x, &o->depends_on);
	if (failed)
		return;
	v = run_output(x->w.module, o, &failed, &x->w.ds);
	if (!failed)
		run_output_refused(x->w.module, o, v, &x->w.ds);
}

/* The plan evaluates the assertions. */
static void validate_check(struct visit *x, const struct cfg_check *c)
{
	const struct condition_use use = visit_conditions(x, COND_ASSERT);
	struct run_scope s;

	x->place.check = c;
	run_scope_init(&s, x->w.module, NULL);
	run_conditions(x->v->run, &s, &use, &c->asserts, &x->w.ds);
}

static void validate_module(struct visit *x, const struct cfg_call *c)
{
	struct run_module *own = x->w.module;

	x->w.module = own->parent;
	visit_repetition(x, c->count, c->for_each, true);
	visit_depends_on(x, &c->depends_on);
	x->w.module = own;
}

/* --- providers --- */

static void provider_validated(void *data, struct run_provider *p)
{
	struct visit *x = data;
	struct diags *said = x->v->run->diags;

	if (p->state == PROVIDER_FAILED)
		diags_fail_quietly(&x->w.ds);
	/* Providers' diagnostics are in those of the run. */
	diags_append(&x->w.ds, said);
	diags_clear(said);
	worker_resume(&x->w);
}

static enum worked configure_provider(struct worker *w)
{
	struct visit *x = visit_of(w);
	const struct plan_provider *p =
		x->v->pg->g->nodes.items[x->node].object;
	struct run_provider_vec all = { 0 };
	bool failed = false;

	visit_provider_references(x, p);
	if (worker_failed(w))
		return WORK_FAIL;
	run_provider_instances(w->run, &p->addr, p->config, &all, &failed,
			       &w->ds);
	if (!all.len)
		return WORK_END;
	/* Only the first is validated: a process for each would be too much. */
	run_provider_get(w->run, all.items[0], provider_validated, x);
	return WORK_LATER;
}

static worker_step *const providers[] = { configure_provider, NULL };

/* --- what needs no provider's opinion --- */

static enum worked evaluate(struct worker *w)
{
	struct visit *x = visit_of(w);
	const struct graph_node *n = &x->v->pg->g->nodes.items[x->node];

	switch (n->kind) {
	case NODE_VARIABLE:
		validate_variable(x, n->object);
		break;
	case NODE_LOCAL:
		validate_local(x, n->object);
		break;
	case NODE_OUTPUT:
		validate_output(x, n->object);
		break;
	case NODE_MODULE:
		validate_module(x, n->object);
		break;
	case NODE_CHECK:
		validate_check(x, n->object);
		break;
	default:
		break;
	}
	return WORK_END;
}

static worker_step *const others[] = { evaluate, NULL };

/* --- the walk --- */

static const struct worker_ops visit_ops = { .end = end };

static void begin(struct validation *v, uint32_t node, struct run_slot *slot,
		  struct arena *scratch, worker_step *const *table)
{
	const struct graph_node *n = &v->pg->g->nodes.items[node];
	struct visit *x = ARENA_NEW(slot ? scratch : v->arena, struct visit);
	struct run_module_vec modules = { 0 };
	bool failed = false;

	x->v = v;
	x->node = node;
	x->w.ops = &visit_ops;
	x->w.run = v->run;
	x->w.slot = slot;
	x->w.a = scratch;
	x->w.ds = (struct diags)DIAGS_INIT(v->arena);
	x->w.keep_on = true;
	if (slot) /* a resource */
		x->w.about = n->address;
	if (n->module)
		run_modules(v->run, n->module, &modules, &failed, &x->w.ds);
	x->w.module = modules.len ? modules.items[0] : v->run->root;
	worker_begin(&x->w, table);
}

struct turn { /* of a resource: its scratch memory is a slot's */
	struct validation *v;
	uint32_t node;
};

static void begin_resource(void *data, struct run_slot *s)
{
	const struct turn *t = data;

	begin(t->v, t->node, s, &s->arena, validate_resource);
}

static void start(void *data, struct graph_walk *w, uint32_t node)
{
	struct validation *v = data;
	struct turn *t;

	(void)w;
	switch (v->pg->g->nodes.items[node].kind) {
	case NODE_RESOURCE:
	case NODE_DATA:
	case NODE_EPHEMERAL:
		t = ARENA_NEW(v->arena, struct turn);
		*t = (struct turn){ v, node };
		run_slot_get(v->run, begin_resource, t);
		break;
	case NODE_PROVIDER:
		begin(v, node, NULL, &v->scratch, providers);
		break;
	default:
		begin(v, node, NULL, &v->scratch, others);
		break;
	}
}

static void finished(void *data, struct graph_walk *w)
{
	struct validation *v = data;

	(void)w;
	v->finished = true;
}

/* Nothing has happened that anybody would have to wait for. */
static void stop(void *data, bool at_once)
{
	struct validation *v = data;

	(void)at_once;
	v->stopped = v->finished = true;
}

static void walk(struct validation *v, struct loop *l, struct diags *ds)
{
	static const struct graph_walk_ops ops = {
		.start = start,
		.finished = finished,
	};
	size_t n = v->pg->g->nodes.len;

	v->diags = ARENA_ARRAY(v->arena, struct diags *, n + 1);
	v->walk = graph_walk_new(v->arena, v->pg->g, &ops, v);
	v->requests = (struct stop_requests){ .stop = stop, .data = v };
	stop_listen(&v->requests, l);
	graph_walk_begin(v->walk);
	loop_run(l, &v->finished);
	for (size_t i = 0; i < n; i++)
		if (v->diags[i])
			diags_append(ds, v->diags[i]);
	if (v->stopped)
		diag_error(
			ds, NULL, "execution halted",
			"The run was interrupted before everything was checked.");
}

/* --- the providers --- */

static void need(struct validation *v, struct provider_addr p, struct diags *ds)
{
	if (p.type.n)
		run_provider_schema(v->run, p, ds);
}

static void need_of(struct validation *v, const struct map *resources,
		    struct diags *ds)
{
	for (size_t i = 0; i < resources->len; i++) {
		const struct cfg_resource *r = resources->entries[i].value;

		need(v, r->provider, ds);
	}
}

/* Starts the processes of all providers beside one another. */
static void prepare_providers(struct loop *l, const struct config *c,
			      struct provider_source *src)
{
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		for (size_t k = 0; k < m->required_providers.len; k++) {
			const struct cfg_required_provider *p =
				m->required_providers.entries[k].value;

			provider_prepare(l, src, p->addr);
		}
	}
}

/* Everything that names a provider needs it, used or not.  Without all of them
 * the rest cannot be checked: -1. */
static int providers_there(struct validation *v, const struct config *c,
			   struct diags *ds)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		for (size_t k = 0; k < m->required_providers.len; k++) {
			const struct cfg_required_provider *p =
				m->required_providers.entries[k].value;

			need(v, p->addr, ds);
		}
		for (size_t k = 0; k < m->providers.len; k++) {
			const struct cfg_provider *p =
				m->providers.entries[k].value;

			need(v, p->provider, ds);
		}
		need_of(v, &m->managed, ds);
		need_of(v, &m->data, ds);
		need_of(v, &m->ephemeral, ds);
	}
	return ds->errors == errors ? 0 : -1;
}

static const struct schema_block *shape(void *data,
					const struct cfg_resource *r)
{
	struct validation *v = data;
	const struct resource_schema *s =
		run_resource_schema(v->run, r->provider, &r->addr, NULL);

	return s ? s->block : NULL;
}

int validate_run(struct loop *l, struct config *c, const struct run_options *o,
		 struct diags *ds)
{
	struct arena arena = ARENA_INIT; /* gone before planning begins */
	struct arena *a = &arena;
	struct validation v = { .arena = a };
	const struct plan_shapes shapes = { shape, &v };
	struct run_options opts = *o;
	struct diags own = DIAGS_INIT(a);
	const size_t errors = ds->errors;

	opts.phase = RUN_VALIDATE;
	if (provisioners_exist(c, ds))
		return -1;
	v.run = run_new(a, l, c, NULL, &opts, &own);
	prepare_providers(l, c, o->providers);
	if (providers_there(&v, c, ds) == 0 &&
	    config_check_arguments(c, ds) == 0 &&
	    run_provider_keys(v.run, ds) == 0)
		v.pg = plan_graph_build_shaped(a, c, &shapes, ds);
	if (v.pg)
		walk(&v, l, ds);
	diags_append(ds, &own);
	run_free(v.run);
	arena_release(&v.scratch);
	arena_release(&arena);
	return ds->errors == errors ? 0 : -1;
}
