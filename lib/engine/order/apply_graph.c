/*
 * apply_graph.c - see apply_graph.h: nodes, and the edges of references
 *
 * Built over the nodes of the plan graph: those that are no resources are taken
 * over as they are; a resource becomes two joins with the nodes of its
 * instances between them.  edges.c adds the edges of destroying.
 */
#include "engine/order/apply_graph_int.h"
#include "engine/order/edges_int.h"
#include "engine/order/family_int.h"
#include "engine/order/late_int.h"
#include "engine/order/needed_int.h"
#include "engine/order/outputs_int.h"
#include "engine/order/planned_int.h"
#include "graph/components.h"
#include "graph/cycle.h"
#include "graph/plan_keys.h"
#include "graph/plan_link.h"
#include "graph/plan_select.h"

#include <stdlib.h>

/* --- the configuration --- */

static bool deprecated_output(const struct graph_node *n)
{
	const struct cfg_output *o = n->object;

	return n->kind == NODE_OUTPUT && o->deprecated.n;
}

/* Does it name a resource, whose attributes may be deprecated, or a deprecated
 * output?  That is reported once known, even if the value is not needed. */
static bool names_deprecated(const struct agb *b, const struct graph_node *n)
{
	const struct graph *pg = b->ag->pg->g;

	for (uint32_t e = n->first; e != GRAPH_NONE;
	     e = pg->edges.items[e].next) {
		const struct graph_node *to =
			&pg->nodes.items[pg->edges.items[e].to];

		if (node_is_resource(to) || deprecated_output(to))
			return true;
	}
	return false;
}

static enum apply_kind kind_of_value(const struct agb *b,
				     const struct graph_node *n)
{
	return n->selected && !b->o->destroy &&
			       !target_set_narrows(&b->o->only) &&
			       names_deprecated(b, n)
		       ? APPLY_VALUE
		       : APPLY_NOTHING;
}

static enum apply_kind kind_of(const struct agb *b, const struct graph_node *n)
{
	bool root = !n->module || !n->module->parent;
	const struct cfg_variable *variable;
	const struct cfg_output *output;

	switch (n->kind) {
	case NODE_OUTPUT: /* of a child only what must hold */
		output = n->object;
		if (!root && !output->preconditions.len)
			return kind_of_value(b, n);
		return n->selected && (root || !b->o->destroy) ? APPLY_OUTPUT
							       : APPLY_NOTHING;
	case NODE_LOCAL:
		return kind_of_value(b, n);
	case NODE_CHECK:
		return n->selected && !b->o->destroy ? APPLY_CHECK
						     : APPLY_NOTHING;
	case NODE_VARIABLE:
		variable = n->object;
		return n->selected && (variable->validations.len ||
				       (variable->deprecated.n && !root &&
					!b->o->destroy))
			       ? APPLY_VARIABLE
			       : APPLY_NOTHING;
	case NODE_PROVIDER:
		return APPLY_PROVIDER;
	default:
		return APPLY_NOTHING;
	}
}

static void take_over(struct agb *b, uint32_t i)
{
	const struct graph_node *n = &b->ag->pg->g->nodes.items[i];
	struct apply_node *an = ARENA_NEW(b->a, struct apply_node);
	uint32_t node =
		graph_add(b->g, n->kind, n->address, n->module, n->object);

	an->kind = kind_of(b, n);
	if (n->kind == NODE_OUTPUT)
		an->output = n->object;
	else if (n->kind == NODE_CHECK)
		an->check = n->object;
	else if (n->kind == NODE_VARIABLE)
		an->variable = n->object;
	else if (n->kind == NODE_PROVIDER)
		an->provider = n->object;
	b->g->nodes.items[node].data = an;
	b->g->nodes.items[node].selected = n->selected;
	b->ends[i] = (struct config_ends){ node, node };
}

static void add_resource(struct agb *b, uint32_t i)
{
	const struct graph_node *n = &b->ag->pg->g->nodes.items[i];
	struct config_ends e;

	e.in = agb_join(b, STR_CAT(b->a, n->address, STR(" (open)")));
	e.out = agb_join(b, STR_CAT(b->a, n->address, STR(" (done)")));
	graph_edge(b->g, e.out, e.in, NULL, NULL);
	((struct apply_node *)b->g->nodes.items[e.out].data)->gathers =
		n->kind != NODE_EPHEMERAL;
	if (n->kind != NODE_EPHEMERAL)
		((struct apply_node *)b->g->nodes.items[e.in].data)->expands =
			n->selected ? n->object : NULL;
	if (n->kind == NODE_EPHEMERAL) {
		uint32_t node = agb_node(b, NODE_EPHEMERAL, APPLY_EPHEMERAL,
					 n->address, NULL, n->object);

		graph_edge(b->g, node, e.in, NULL, NULL);
		graph_edge(b->g, e.out, node, NULL, NULL);
	}
	b->ends[i] = e;
}

static void add_config_nodes(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;

	b->ends = ARENA_ARRAY(b->a, struct config_ends, pg->nodes.len);
	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];

		if (node_is_from_state(n))
			b->ends[i] =
				(struct config_ends){ GRAPH_NONE, GRAPH_NONE };
		else if (node_is_resource(n))
			add_resource(b, i);
		else
			take_over(b, i);
	}
}

struct ref_ctx {
	struct agb *b;
	uint32_t node; /* of the plan graph */
};

/* r[0] means that instance, if something is done to it; else all, where that is
 * no circle. */
static void connect_reference(void *data, uint32_t to, struct inst_key key,
			      const struct expr *picks,
			      const struct traversal_ref *why)
{
	struct ref_ctx *c = data;
	struct agb *b = c->b;
	const struct graph_node *n = &b->ag->pg->g->nodes.items[to];
	const struct node_list *nodes = NULL;
	uint32_t from = b->ends[c->node].in, all = b->ends[to].out;

	(void)picks;
	if (key.kind != KEY_NONE && n->kind != NODE_EPHEMERAL) {
		nodes = agb_keyed_nodes(b, n->address, key);
		if (b->yields & ORDER_USERS_YIELD)
			all = b->ends[to].in;
	}
	for (size_t i = 0; nodes && i < nodes->len; i++)
		graph_edge(b->g, from, nodes->items[i], why, NULL);
	if (!nodes)
		graph_edge(b->g, from, all, why, NULL);
	if (node_is_resource(&b->ag->pg->g->nodes.items[c->node]))
		agb_reference_destroyers(
			b, b->ag->pg->g->nodes.items[c->node].address,
			n->address);
}

/* A wait for a whole module need not include variables that nothing in it uses,
 * where that is a circle: its inputs are not what it does. */
static bool gives_way(const struct agb *b, uint32_t from, uint32_t to)
{
	const struct graph_node *n = b->ag->pg->g->nodes.items;

	return (b->yields & ORDER_USERS_YIELD) &&
	       n[from].kind == NODE_MODULE_CLOSE &&
	       n[to].kind == NODE_VARIABLE &&
	       b->with_users[b->ends[from].in] ==
		       b->with_users[b->ends[to].out];
}

static void connect_config(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;

	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];
		struct ref_ctx ctx = { b, i };

		if (node_is_from_state(n) ||
		    (b->o->destroy && n->kind == NODE_OUTPUT &&
		     !n->module->parent))
			continue;
		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = pg->edges.items[e].next) {
			const struct graph_edge *edge = &pg->edges.items[e];

			if (node_is_from_state(&pg->nodes.items[edge->to]))
				continue;
			if ((!node_is_resource(&pg->nodes.items[edge->to]) ||
			     n->kind == NODE_MODULE_CLOSE) &&
			    !gives_way(b, i, edge->to))
				graph_edge(b->g, b->ends[i].in,
					   b->ends[edge->to].out, edge->why,
					   edge->implied);
		}
		plan_graph_resource_refs(b->a, b->ag->pg, i, connect_reference,
					 &ctx);
	}
}

static void connect_links(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;

	for (size_t i = 0; b->o->links && i < b->o->links->len; i++) {
		const struct graph_link *l = &b->o->links->items[i];
		uint32_t from = graph_find(pg, l->from);
		uint32_t to = graph_find(pg, l->to);
		struct ref_ctx ctx = { b, from };

		if (from != GRAPH_NONE && to != GRAPH_NONE &&
		    node_is_resource(&pg->nodes.items[to]) &&
		    !node_is_from_state(&pg->nodes.items[from]))
			connect_reference(&ctx, to, KEY_ABSENT, NULL, NULL);
	}
}

static int own_link(struct agb *b, const struct graph_link *l)
{
	uint32_t from = graph_find(b->g, l->from), to = graph_find(b->g, l->to);

	if (from == GRAPH_NONE || to == GRAPH_NONE)
		return diag_error(b->ds, NULL, "Edited record cannot be used",
				  "A record edge was added, from %.*s to %.*s, "
				  "and the plan does nothing with %.*s. "
				  "\"tf-graph -apply\" shows what can be "
				  "named.",
				  STR_ARG(l->from), STR_ARG(l->to),
				  STR_ARG(from == GRAPH_NONE ? l->from
							     : l->to));
	graph_edge(b->g, from, to, NULL, "edited");
	return 0;
}

static int add_own_links(struct agb *b)
{
	int rc = 0;

	for (size_t i = 0; b->o->own_links && i < b->o->own_links->len; i++)
		rc |= own_link(b, &b->o->own_links->items[i]);
	return rc;
}

static bool nested_in_check(const struct apply_node *an)
{
	return an->kind == APPLY_CHANGE && an->config && an->config->check;
}

/* The data source of a check block is read when all changes are made; which
 * instances it has is known before. */
static void connect_checks(struct agb *b)
{
	const size_t n = b->g->nodes.len;
	uint32_t all = GRAPH_NONE;

	for (uint32_t i = 0; i < n; i++) {
		if (!nested_in_check(apply_node(b->ag, i)))
			continue;
		if (all == GRAPH_NONE)
			all = agb_join(b, STR("(execute checks)"));
		graph_edge(b->g, i, all, NULL, "check");
	}
	for (uint32_t i = 0; all != GRAPH_NONE && i < n; i++)
		if (b->g->nodes.items[i].kind == NODE_RESOURCE &&
		    apply_node(b->ag, i)->kind == APPLY_CHANGE)
			graph_edge(b->g, all, i, NULL, NULL);
}

/* An object that is created before it is destroyed forces the same on those
 * that it depends on, if something is done to both. */
static void force_cbd(struct agb *b)
{
	size_t n = b->g->nodes.len;
	unsigned char *set = ARENA_ARRAY(&b->scratch, unsigned char, n + 1);

	for (size_t i = 0; i < n; i++) {
		const struct apply_node *an = b->g->nodes.items[i].data;

		set[i] = an->kind == APPLY_CHANGE && agb_keeps_first(an);
	}
	graph_reach(b->g, set, false);
	for (size_t i = 0; i < n; i++) {
		struct apply_node *an = b->g->nodes.items[i].data;

		an->cbd = set[i] && an->kind == APPLY_CHANGE;
	}
	arena_reset(&b->scratch);
}

static int build(struct agb *b, const struct change_vec *changes)
{
	const struct graph *pg = b->ag->pg->g;
	size_t n = pg->nodes.len + changes->len;
	int rc = 0;

	b->g = b->ag->g = graph_new(b->a);
	graph_reserve(b->g, n + pg->nodes.len, n, pg->edges.len * 2 + n);
	b->families = b->places = b->calls = (struct map){ 0 };
	b->any_late = b->any_mixed = false;
	b->instance_nodes = (struct map){ 0 };
	b->dependents.len = 0;
	agb_note_calls(b, changes);
	agb_note_late(b, changes);
	add_config_nodes(b);
	for (size_t i = 0; i < changes->len; i++)
		rc |= agb_change(b, changes->items[i]);
	if (rc)
		return -1;
	agb_connect_deposed(b);
	connect_config(b);
	connect_links(b);
	connect_checks(b);
	force_cbd(b);
	agb_destroy_edges(b);
	if (target_set_narrows(&b->o->only) || b->o->ntaken)
		agb_select_outputs(b);
	return 0;
}

static bool is_cyclic(const struct graph *g)
{
	uint32_t *order = xcalloc(g->nodes.len + 1, sizeof(*order));
	bool cyclic = graph_order(g, order) < g->nodes.len;

	free(order);
	return cyclic;
}

/* Records the circles that the next build uses. */
static void note_circles(struct agb *b)
{
	size_t n = b->g->nodes.len;
	const uint32_t *components = graph_components(b->a, b->g);

	b->marks = ARENA_ARRAY(b->a, uint32_t, n > b->nmarks ? n : b->nmarks);
	b->nmarks = n > b->nmarks ? n : b->nmarks;
	b->mark = 0;
	if (!(b->yields & ORDER_USERS_YIELD)) {
		b->with_users = components;
		return;
	}
	if (b->yields == (ORDER_USERS_YIELD | ORDER_LATE_YIELDS))
		b->without_late = components;
	if (b->without_users)
		return;
	b->without_users = components;
	b->members = ARENA_ARRAY(b->a, uint32_t, n);
	for (size_t i = 0; i < n; i++)
		b->members[components[i]]++;
}

/* All rules that may give way.  Without moves there are none of theirs. */
static unsigned all_yield(const struct agb *b)
{
	return (b->places.len ? ORDER_MOVES_YIELD << 1 : ORDER_MOVES_YIELD) - 1;
}

struct apply_graph *apply_graph_build(struct arena *a, const struct config *c,
				      const struct state *state,
				      const struct change_vec *changes,
				      const struct apply_graph_options *o,
				      struct diags *ds)
{
	struct agb b = { .a = a,
			 .scratch = ARENA_INIT,
			 .config = c,
			 .state = state,
			 .o = o,
			 .ds = ds };
	int rc;

	b.ag = ARENA_NEW(a, struct apply_graph);
	b.ag->pg = plan_graph_build(a, c, state, PLAN_GRAPH_NORMAL, ds);
	if (!b.ag->pg)
		return NULL;
	b.ag->pg->only_reads = o->refresh_only;
	if (o->links && plan_graph_link(b.ag->pg, o->links, ds))
		return NULL;
	plan_graph_select(b.ag->pg, &o->only);
	/* The order of destroying everything has no rules that may give way. */
	while (!(rc = build(&b, changes)) && is_cyclic(b.g) && !o->destroy &&
	       b.yields < all_yield(&b)) {
		note_circles(&b);
		b.yields++;
	}
	if (!rc)
		rc = add_own_links(&b);
	if (!rc)
		agb_mark_needed(&b);
	arena_release(&b.scratch);
	return rc || graph_check_cycles(a, b.g, ds) ? NULL : b.ag;
}
