/* chosen.c - see eval_steps.h */
#include "engine/run/expand.h"
#include "engine/run/providers.h"
#include "engine/stage/eval_steps.h"
#include "engine/run/run.h"

bool chosen_any(const struct config *c)
{
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		for (size_t k = 0; k < m->providers.len; k++)
			if (cfg_provider_repeated(
				    m->providers.entries[k].value))
				return true;
	}
	return false;
}

/* The edge to a provider's configuration with instances, of which nothing is
 * known yet. */
static uint32_t edge_to_choose(const struct graph *g,
			       const struct graph_node *n)
{
	for (uint32_t e = n->first; e != GRAPH_NONE;
	     e = g->edges.items[e].next) {
		const struct graph_node *to =
			&g->nodes.items[g->edges.items[e].to];
		const struct plan_provider *p = to->object;

		if (to->kind == NODE_PROVIDER &&
		    cfg_provider_repeated(p->config))
			return graph_noted(g, e) ? GRAPH_NONE : e;
	}
	return GRAPH_NONE;
}

static void add(struct arena *a, struct str_vec *all, struct str text)
{
	for (size_t i = 0; i < all->len; i++)
		if (str_eq(all->items[i], text))
			return;
	vec_push(a, all, text);
}

/* -1: not all of them are known. */
static int of_resource(struct arena *a, struct run_module *m,
		       const struct cfg_resource *c, struct str_vec *all,
		       struct diags *quiet)
{
	const struct run_resource *rr = run_resource(m, &c->addr, quiet);

	if (!rr || rr->exp.kind == EXPAND_UNKNOWN ||
	    rr->exp.kind == EXPAND_FAILED)
		return -1;
	for (size_t i = 0; i < rr->exp.n; i++) {
		const struct repetition rep =
			expansion_repetition(a, &rr->exp, i);
		const struct run_provider *p =
			run_provider_for(m, c, &rep, quiet);

		if (!p || diags_failed(quiet))
			return -1;
		add(a, all, p->text);
	}
	return 0;
}

static void note(struct arena *a, struct run *r, struct graph *g, uint32_t node)
{
	const struct graph_node *n = &g->nodes.items[node];
	const uint32_t edge = edge_to_choose(g, n);
	struct run_module_vec modules = { NULL, 0, 0 };
	struct diags quiet = DIAGS_INIT(a);
	struct str_vec all = { NULL, 0, 0 };
	bool failed = false;

	if (edge == GRAPH_NONE)
		return;
	run_modules(r, n->module, &modules, &failed, &quiet);
	for (size_t i = 0; !failed && i < modules.len; i++)
		failed = of_resource(a, modules.items[i], n->object, &all,
				     &quiet) != 0;
	if (!failed)
		graph_note_edge(g, edge, &all);
}

void chosen_note(struct arena *a, struct plan_graph *pg,
		 const struct inputs *in, struct str workspace)
{
	struct run_options o = { .phase = RUN_EVAL,
				 .dir = STR("."),
				 .workspace = workspace };
	struct diags quiet = DIAGS_INIT(a);
	struct loop *l = loop_new();
	struct run *r =
		run_new(a, l, (struct config *)pg->config, NULL, &o, &quiet);

	r->inputs = *in;
	for (uint32_t i = 0; i < pg->g->nodes.len; i++)
		if (node_is_resource(&pg->g->nodes.items[i]))
			note(a, r, pg->g, i);
	run_free(r);
	loop_free(l);
}
