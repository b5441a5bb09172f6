/* plan_select.c - which nodes -target and -exclude leave, and which resources
 * are created before they are destroyed */
#include <stdlib.h>

#include "graph/plan_select.h"
#include "addr/target.h"
#include "graph/graph_int.h"

/* Names alone: does the target, made general, contain a configuration
 * resource? */
static bool general_contains(const struct target *t,
			     const struct plan_graph_module *m,
			     const struct cfg_resource *r)
{
	const struct module_addr *tm = &t->addr.module;
	size_t depth = 0;

	for (const struct cfg_module *c = m->config; c->parent; c = c->parent)
		depth++;
	if (depth < tm->len || (t->kind != TARGET_MODULE && depth > tm->len))
		return false;
	for (const struct cfg_module *c = m->config; c->parent;
	     c = c->parent, depth--)
		if (depth <= tm->len &&
		    !target_names(t, tm->steps[depth - 1].name, c->call->name))
			return false;
	return t->kind == TARGET_MODULE || target_names_resource(t, r->addr);
}

bool target_has_keys(const struct target *t)
{
	for (size_t i = 0; i < t->addr.module.len; i++)
		if (t->addr.module.steps[i].key.kind != KEY_NONE)
			return true;
	return t->kind == TARGET_INSTANCE;
}

bool target_has_some(const struct target *t, const struct state_resource *r)
{
	struct instance_addr i = { r->module, r->addr, KEY_ABSENT };

	for (size_t k = 0; k < r->instances.len; k++) {
		i.key = r->instances.items[k]->key;
		if (target_contains(t, &i))
			return true;
	}
	return false;
}

static bool any_contains(const struct target_vec *ts,
			 const struct instance_addr *i)
{
	for (size_t k = 0; k < ts->len; k++)
		if (target_contains(&ts->items[k], i))
			return true;
	return false;
}

/* Do the targets contain all, or any, of what the node has of the state? */
static bool state_contained(const struct target_vec *ts,
			    const struct graph_node *n, bool any)
{
	const struct state_resource *r = n->object;
	struct instance_addr i = { r->module, r->addr, KEY_ABSENT };

	for (size_t k = 0; k < r->instances.len; k++) {
		const struct state_instance *si = r->instances.items[k];

		i.key = si->key;
		if ((si->deposed.n > 0) == (n->kind == NODE_DEPOSED) &&
		    any_contains(ts, &i) == any)
			return any;
	}
	return !any;
}

bool target_names_node(const struct plan_graph *pg, const struct graph_node *n,
		       const struct target *t)
{
	if (node_is_from_state(n))
		return target_has_some(t, n->object);
	return node_is_resource(n) &&
	       general_contains(t, plan_module(pg, n->module), n->object) &&
	       (!t->glob.n || pattern_may_name(pg, n, t));
}

bool plan_graph_names(const struct plan_graph *pg, const struct target *t)
{
	for (uint32_t i = 0; i < pg->g->nodes.len; i++)
		if (target_names_node(pg, &pg->g->nodes.items[i], t))
			return true;
	return false;
}

bool plan_graph_aims_at(const struct plan_graph *pg, uint32_t node,
			const struct target_set *only)
{
	for (size_t i = 0; i < only->targets.len; i++)
		if (target_names_node(pg, &pg->g->nodes.items[node],
				      &only->targets.items[i]))
			return true;
	return !only->targets.len;
}

/* For each node, by its dependencies, direct or not: is there one in `in`, is
 * there a resource that is not in `in`, an instance that is left out of one
 * that is? Linear: the graph has no cycles. */
struct behind {
	unsigned char *any, *missing, *partly;
};

static struct behind look_behind(const struct plan_graph *pg,
				 const unsigned char *in)
{
	const struct graph *g = pg->g;
	size_t n = g->nodes.len + 1;
	struct behind b = { xcalloc(n, 1), xcalloc(n, 1), xcalloc(n, 1) };
	uint32_t *order = xcalloc(n, sizeof(*order));
	size_t len = graph_order(g, order);

	for (size_t k = 0; k < len; k++) {
		uint32_t v = order[k];

		for (uint32_t e = g->nodes.items[v].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;
			const struct graph_node *d = &g->nodes.items[to];

			b.any[v] |= in[to] | b.any[to];
			b.missing[v] |= b.missing[to];
			b.partly[v] |= b.partly[to];
			if (node_is_resource(d) || node_is_from_state(d))
				b.missing[v] |= !in[to];
			if (node_is_resource(d))
				b.partly[v] |=
					select_depends_on_left_out(pg, v, to);
		}
	}
	free(order);
	return b;
}

static void behind_free(struct behind *b)
{
	free(b->any);
	free(b->missing);
	free(b->partly);
}

/* Excluded are what an option names as a whole and all that depends on
 * anything an option names, even if on one instance of it only. */
static void select_excludes(struct plan_graph *pg, const struct target_vec *ts,
			    unsigned char *set)
{
	struct graph *g = pg->g;
	unsigned char *hit = xcalloc(g->nodes.len + 1, 1);
	unsigned char *whole = xcalloc(g->nodes.len + 1, 1);
	struct behind b;

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		if (node_is_from_state(n))
			whole[i] = state_contained(ts, n, false);
		for (size_t k = 0; k < ts->len; k++) {
			const struct target *t = &ts->items[k];

			if (!target_names_node(pg, n, t))
				continue;
			hit[i] = 1;
			if (!node_is_from_state(n) && !target_has_keys(t))
				whole[i] = 1;
		}
	}
	b = look_behind(pg, hit);
	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		set[i] = (node_is_resource(n) || node_is_from_state(n)) &&
			 !whole[i] && !b.any[i];
	}
	behind_free(&b);
	free(hit);
	free(whole);
	graph_reach(g, set, false);
}

bool graph_node_is_result(const struct graph_node *n)
{
	const struct cfg_variable *v = n->object;

	if (n->kind == NODE_OUTPUT)
		return !n->module->parent;
	return n->kind == NODE_VARIABLE && n->module->parent &&
	       v->validations.len;
}

/* Is a resource worked on, if only some of its instances are?  Of what the
 * state alone has, all must be, or something that is needs it. */
static bool is_kept(const struct plan_graph *pg, uint32_t node,
		    const struct target_set *only, bool selected)
{
	const struct graph_node *n = &pg->g->nodes.items[node];
	const struct plan_node *pn = plan_node(pg, node);

	if (!selected || !node_is_from_state(n))
		return selected && node_is_resource(n);
	return !state_contained(&only->excludes, n, true) &&
	       (!only->targets.len || pn->whole || pn->there.len ||
		state_contained(&only->targets, n, false));
}

static void select_results(struct plan_graph *pg, const struct target_set *only,
			   unsigned char *set)
{
	struct graph *g = pg->g;
	unsigned char *in = xcalloc(g->nodes.len + 1, 1);
	struct behind b;

	for (uint32_t i = 0; i < g->nodes.len; i++)
		in[i] = is_kept(pg, i, only, set[i]);
	b = look_behind(pg, in);
	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		if (n->kind == NODE_OUTPUT || n->kind == NODE_LOCAL ||
		    n->kind == NODE_VARIABLE)
			plan_node(pg, i)->partly = b.partly[i];
		if (!graph_node_is_result(n))
			continue;
		if (b.any[i] && !b.missing[i] &&
		    (!b.partly[i] || n->kind == NODE_OUTPUT))
			set[i] = 1;
	}
	behind_free(&b);
	free(in);
	graph_reach(g, set, false);
}

void plan_graph_select(struct plan_graph *pg, const struct target_set *only)
{
	struct graph *g = pg->g;
	unsigned char *kept = NULL, *set;

	if (!target_set_narrows(only))
		return;
	if (only->excludes.len) {
		kept = xcalloc(g->nodes.len + 1, 1);
		select_excludes(pg, &only->excludes, kept);
	}
	set = kept;
	if (only->targets.len) {
		set = xcalloc(g->nodes.len + 1, 1);
		select_targets(pg, only->targets.items, only->targets.len, kept,
			       set);
		for (size_t i = 0; kept && i < g->nodes.len; i++)
			set[i] &= kept[i];
		free(kept);
	}
	if (pg->kind == PLAN_GRAPH_NORMAL)
		select_results(pg, only, set);
	for (size_t i = 0; i < g->nodes.len; i++)
		g->nodes.items[i].selected = set[i];
	free(set);
}

uint32_t plan_graph_expansion(const struct plan_graph *pg,
			      const struct cfg_module *m)
{
	return plan_module(pg, m)->expand;
}

bool plan_graph_has_module(const struct plan_graph *pg,
			   const struct cfg_module *m)
{
	uint32_t node = plan_graph_expansion(pg, m);

	return node == GRAPH_NONE || pg->g->nodes.items[node].selected;
}

bool plan_graph_wanted(const struct plan_graph *pg, uint32_t node,
		       const struct instance_addr *i, bool gone,
		       const struct plan_seen *s, const struct target_set *only)
{
	const struct plan_node *n = plan_node(pg, node);
	const size_t ntargets = only->targets.len;
	bool wanted = !ntargets || ((!gone || pg->only_reads ||
				     i->resource.mode != MODE_MANAGED) &&
				    select_instance_needed(pg, node, i, s));

	for (size_t k = 0; k < ntargets && n->direct && !wanted; k++)
		wanted = target_contains(&only->targets.items[k], i);
	for (size_t k = 0; k < only->excludes.len && wanted; k++)
		wanted = !target_contains(&only->excludes.items[k], i);
	return wanted;
}

void plan_graph_force_cbd(struct plan_graph *pg)
{
	struct graph *g = pg->g;
	unsigned char *set = xcalloc(g->nodes.len + 1, 1);

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];
		const struct cfg_resource *r = n->object;

		if (n->kind == NODE_RESOURCE && n->selected)
			set[i] = r->lifecycle->create_before_destroy_value;
	}
	graph_reach(g, set, false);
	for (uint32_t i = 0; i < g->nodes.len; i++)
		plan_node(pg, i)->cbd = set[i];
	free(set);
}
