/* nodes.c - what the walk does at each kind of node */
#include "engine/plan/plan_int.h"
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "engine/run/conditions.h"
#include "engine/run/providers.h"
#include "graph/plan_graph.h"
#include "graph/plan_select.h"
#include "graph/graph.h"
#include "lang/syntax/walk.h"

void plan_node_done(struct plan_work *w)
{
	if (diags_failed(&w->diags))
		w->failed = true;
	graph_walk_done(w->p->walk, w->node, w->failed);
}

void plan_modules(struct plan_work *w, const struct graph_node *n,
		  struct run_module_vec *out)
{
	struct run_module_vec all = { 0 };

	run_modules(w->p->run, n->module, &all, &w->failed, &w->diags);
	if (!w->p->run->opts.only.targets.len) {
		*out = all;
		return;
	}
	for (size_t i = 0; i < all.len; i++)
		if (plan_graph_meets(w->p->pg, w->node, all.items[i]->addr))
			vec_push(w->p->arena, out, all.items[i]);
}

/* The rules are checked when all module instances have a value: if one has
 * none, none of them was checked. */
static void visit_variable(struct plan_work *w, const struct graph_node *n)
{
	const struct cfg_variable *v = n->object;
	struct run_module_vec modules = { 0 };

	plan_modules(w, n, &modules);
	for (size_t i = 0; i < modules.len; i++)
		run_variable(modules.items[i], v, &w->failed, &w->diags);
	if (w->failed)
		return;
	checks_expanded(&w->p->run->checks, n->module, CHECK_VARIABLE, v->name,
			NULL);
	for (size_t i = 0; i < modules.len; i++)
		if (variable_validate(modules.items[i], v, NULL, &w->diags))
			w->failed = true;
}

/* Is there a reference to the local value in its own expression? */
static bool refers_to_itself(struct plan_work *w, const struct cfg_local *l)
{
	struct traversal_vec v = { 0 };
	bool found = false;

	expression_variables(w->p->arena, l->value, &v);
	for (size_t i = 0; i < v.len; i++) {
		const struct traversal *t = &v.items[i].traversal;
		struct range at;

		if (!str_is(t->root, "local") || !t->nsteps ||
		    t->steps[0].kind != STEP_ATTR ||
		    !str_eq(t->steps[0].name, l->name))
			continue;
		at = source_range(v.items[i].src, v.items[i].span);
		diag_error(&w->diags, &at, "Self-referencing local value",
			   "local.%.*s cannot be a part of its own expression.",
			   STR_ARG(l->name));
		found = true;
	}
	return found;
}

static void visit_local(struct plan_work *w, const struct graph_node *n)
{
	struct run_module_vec modules = { 0 };

	plan_modules(w, n, &modules);
	if (!refers_to_itself(w, n->object))
		for (size_t i = 0; i < modules.len; i++)
			run_local(modules.items[i], n->object, &w->failed,
				  &w->diags);
}

static void visit_module(struct plan_work *w, const struct graph_node *n)
{
	struct run_module_vec modules = { 0 };

	run_modules(w->p->run, n->module, &modules, &w->failed, &w->diags);
}

static void provider_ready(void *data, struct run_provider *p)
{
	struct plan_work *w = data;

	if (p->state == PROVIDER_FAILED)
		w->failed = true;
	if (--w->running == 0)
		plan_node_done(w);
}

static void visit_provider(struct plan_work *w, const struct graph_node *n)
{
	const struct plan_provider *pp = n->object;
	struct run_provider_vec all = { 0 };

	run_provider_instances(w->p->run, &pp->addr, pp->config, &all,
			       &w->failed, &w->diags);
	if (cfg_provider_repeated(pp->config))
		all.len = 0; /* each starts when it is needed */
	w->running = all.len;
	for (size_t i = 0; i < all.len; i++)
		run_provider_get(w->p->run, all.items[i], provider_ready, w);
	if (!all.len)
		plan_node_done(w);
}

/* Which check block the node belongs to. */
static const struct cfg_check *check_of(const struct graph_node *n)
{
	if (n->kind == NODE_CHECK)
		return n->object;
	if (n->kind == NODE_DATA)
		return ((const struct cfg_resource *)n->object)->check;
	return NULL;
}

/* Were the instances of the module worked out?  Not where what they go by
 * failed, though they may be known without it. */
static bool module_expanded(const struct plan *p, const struct cfg_module *m)
{
	uint32_t node = plan_graph_expansion(p->pg, m);

	return node == GRAPH_NONE || !graph_walk_failed(p->walk, node);
}

/* Names the checks of all instances, also where only the data source, or
 * neither, is looked at. */
void plan_name_checks(struct plan *p)
{
	struct diags quiet = DIAGS_INIT(p->arena);

	for (size_t i = 0; i < p->pg->g->nodes.len; i++) {
		const struct graph_node *n = &p->pg->g->nodes.items[i];
		const struct cfg_check *check = check_of(n);
		struct run_module_vec all = { 0 };
		bool failed = false;

		if (!check || !n->selected || !module_expanded(p, n->module))
			continue;
		run_modules(p->run, n->module, &all, &failed, &quiet);
		if (failed)
			continue;
		checks_expanded(&p->run->checks, n->module, CHECK_BLOCK,
				check->name, NULL);
		for (size_t k = 0; k < all.len; k++)
			module_check(all.items[k], CHECK_BLOCK, check->name);
	}
}

static void visit_check(struct plan_work *w, const struct graph_node *n)
{
	const struct cfg_check *k = n->object;
	struct run_module_vec modules = { 0 };

	run_modules(w->p->run, n->module, &modules, &w->failed, &w->diags);
	if (!w->failed)
		checks_expanded(&w->p->run->checks, n->module, CHECK_BLOCK,
				k->name, NULL);
	for (size_t i = 0; i < modules.len; i++)
		module_check_asserts(modules.items[i], k, &w->diags);
}

static bool destroys(const struct plan *p)
{
	return p->mode == RUN_DESTROY;
}

static bool complete(void *data, uint32_t node)
{
	struct plan *p = data;
	const struct cfg_resource *c = p->pg->g->nodes.items[node].object;
	struct diags quiet = DIAGS_INIT(p->arena);
	struct run_module_vec modules = { 0 };
	bool failed = false;

	run_modules(p->run, c->module, &modules, &failed, &quiet);
	for (size_t i = 0; i < modules.len; i++) {
		const struct run_resource *rr =
			run_resource(modules.items[i], &c->addr, &quiet);

		if (rr->extra.len)
			return false;
		for (size_t k = 0; k < rr->exp.n; k++)
			if (rr->instances[k].excluded)
				return false;
	}
	return true;
}

/* Does the value depend on an instance that the targets leave out?  Then it is
 * not worked out for its own sake: what is selected does not need it. */
static bool left_out(struct plan_work *w, const struct graph_node *n)
{
	struct plan *p = w->p;

	return (n->kind != NODE_OUTPUT || n->module->parent || !destroys(p)) &&
	       plan_node(p->pg, w->node)->partly &&
	       plan_graph_left_out(p->pg, w->node, complete, p);
}

/* Visits a node that is only evaluated. */
static void evaluate(void *data)
{
	struct plan_work *w = data;
	struct plan *p = w->p;
	const struct graph_node *n = &p->pg->g->nodes.items[w->node];
	const struct run_mark mark = run_mark(p->run, &w->diags);

	w->failed = false;
	if (left_out(w, n)) {
		plan_node_done(w);
		return;
	}
	switch (n->kind) {
	case NODE_VARIABLE:
		visit_variable(w, n);
		break;
	case NODE_LOCAL:
		visit_local(w, n);
		break;
	case NODE_OUTPUT:
		plan_output(w);
		break;
	case NODE_MODULE:
		visit_module(w, n);
		break;
	case NODE_CHECK:
		if (!destroys(p))
			visit_check(w, n);
		break;
	default:
		break;
	}
	if (!run_must_wait(&mark, evaluate, w))
		plan_node_done(w);
}

void plan_node_start(void *data, struct graph_walk *walk, uint32_t node)
{
	struct plan *p = data;
	const struct graph_node *n = &p->pg->g->nodes.items[node];
	struct plan_work *w;

	if (!n->selected) {
		graph_walk_done(walk, node, false);
		return;
	}
	w = ARENA_NEW(p->arena, struct plan_work);
	w->p = p;
	w->node = node;
	w->diags = (struct diags)DIAGS_INIT(p->arena);
	p->work[node] = w;
	switch (n->kind) {
	case NODE_PROVIDER:
		visit_provider(w, n);
		break;
	case NODE_RESOURCE:
	case NODE_DATA:
		if (destroys(p))
			plan_node_done(w);
		else
			plan_resource(w);
		break;
	case NODE_EPHEMERAL:
		plan_resource(w);
		break;
	case NODE_ORPHAN:
	case NODE_DEPOSED:
	case NODE_DESTROY:
		plan_state_resource(w);
		break;
	default:
		evaluate(w);
		break;
	}
}
