/*
 * apply_graph.c - see apply_graph.h: nodes, and the edges of references
 *
 * Built over the nodes of the plan graph: those that are no resources are taken
 * over as they are; a resource becomes two joins with the nodes of its
 * instances between them.  edges.c adds the edges of destroying.
 */
#include "engine/order/order_int.h"
#include "graph/draw.h"
#include "graph/plan_graph.h"
#include "graph/plan_select.h"

/* --- the configuration --- */

static bool deprecated_output(const struct graph_node *n)
{
	const struct cfg_output *o = n->object;

	return n->kind == NODE_OUTPUT && o->deprecated.n;
}

/* Does it name a resource, whose attributes may be deprecated, or a deprecated
 * output?  That is reported once known, even if the value is not needed. */
static bool names_deprecated(const struct ordering *o,
			     const struct graph_node *n)
{
	for (uint32_t e = n->first; e != GRAPH_NONE;
	     e = o->plan->edges.items[e].next) {
		const struct graph_node *to =
			&o->plan->nodes.items[o->plan->edges.items[e].to];

		if (node_is_resource(to) || deprecated_output(to))
			return true;
	}
	return false;
}

static enum apply_kind kind_of(const struct ordering *o,
			       const struct graph_node *n)
{
	bool root = !n->module || !n->module->parent, goes = o->o->destroy;
	const struct cfg_variable *variable = n->object;
	const struct cfg_output *output = n->object;

	if (n->kind == NODE_PROVIDER)
		return APPLY_PROVIDER;
	if (!n->selected)
		return APPLY_NOTHING;
	switch (n->kind) {
	case NODE_OUTPUT: /* of a child only what must hold */
		if (root || (output->preconditions.len && !goes))
			return APPLY_OUTPUT;
		__attribute__((fallthrough));
	case NODE_LOCAL:
		return !goes && !target_set_narrows(&o->o->only) &&
				       names_deprecated(o, n)
			       ? APPLY_VALUE
			       : APPLY_NOTHING;
	case NODE_CHECK:
		return goes ? APPLY_NOTHING : APPLY_CHECK;
	case NODE_VARIABLE:
		return variable->validations.len || (variable->deprecated.n &&
						     !root && !goes)
			       ? APPLY_VARIABLE
			       : APPLY_NOTHING;
	default:
		return APPLY_NOTHING;
	}
}

static void take_over(struct ordering *o, uint32_t i)
{
	const struct graph_node *n = &o->plan->nodes.items[i];
	uint32_t node =
		order_node(o, n->kind, n->address, n->module, n->object);
	struct apply_node *an = apply_node(o->ag, node);

	an->kind = kind_of(o, n);
	if (n->kind == NODE_PROVIDER)
		an->provider = n->object;
	o->g->nodes.items[node].selected = n->selected;
	o->ends[i] = (struct config_ends){ node, node };
}

static void add_ephemeral(struct ordering *o, const struct graph_node *n,
			  struct config_ends e)
{
	uint32_t node =
		order_node(o, NODE_EPHEMERAL, n->address, n->module, NULL);
	struct apply_node *an = apply_node(o->ag, node);

	an->kind = APPLY_EPHEMERAL;
	an->config = n->object;
	order_after(o, node, e.in, NULL);
	order_after(o, e.out, node, NULL);
}

static void add_resource(struct ordering *o, uint32_t i)
{
	const struct graph_node *n = &o->plan->nodes.items[i];
	struct config_ends e;

	e.in = order_join(o, STR_CAT(o->a, n->address, STR(" (open)")));
	e.out = order_join(o, STR_CAT(o->a, n->address, STR(" (done)")));
	order_after(o, e.out, e.in, NULL);
	if (n->kind == NODE_EPHEMERAL) {
		add_ephemeral(o, n, e);
	} else {
		apply_node(o->ag, e.out)->gathers = n->object;
		apply_node(o->ag, e.in)->expands =
			n->selected ? n->object : NULL;
	}
	o->ends[i] = e;
}

static void add_config_nodes(struct ordering *o)
{
	o->ends = ARENA_ARRAY(o->a, struct config_ends, o->plan->nodes.len);
	for (uint32_t i = 0; i < o->plan->nodes.len; i++) {
		const struct graph_node *n = &o->plan->nodes.items[i];

		if (node_is_from_state(n))
			o->ends[i] =
				(struct config_ends){ GRAPH_NONE, GRAPH_NONE };
		else if (node_is_resource(n))
			add_resource(o, i);
		else
			take_over(o, i);
	}
}

struct ref_ctx {
	struct ordering *o;
	uint32_t node; /* of the plan graph */
};

/* r[0] means that instance.  If nothing is done to it, it need not wait for the
 * others. */
static void connect_reference(void *data, uint32_t to, struct inst_key key,
			      const struct expr *picks,
			      const struct traversal_ref *why)
{
	struct ref_ctx *c = data;
	struct ordering *o = c->o;
	const struct graph_node *n = o->plan->nodes.items;
	struct node_list nodes = { 0 };
	uint32_t from = o->ends[c->node].in;
	bool keyed = key.kind != KEY_NONE && n[to].kind != NODE_EPHEMERAL;

	(void)picks;
	if (keyed)
		nodes = *order_keyed_nodes(o, n[to].address, key);
	for (size_t i = 0; i < nodes.len; i++)
		order_edge(o, from, nodes.items[i], EDGE_HARD, why, NULL);
	if (!nodes.len && keyed)
		order_edge(o, from, o->ends[to].in, EDGE_HARD, why, NULL);
	if (!nodes.len)
		order_edge(o, from, o->ends[to].out,
			   keyed ? EDGE_UNNECESSARY : EDGE_HARD, why, NULL);
}

static void connect_config_node(struct ordering *o, uint32_t node,
				const struct graph_edge *edge)
{
	const struct graph_node *n = &o->plan->nodes.items[node];
	const struct graph_node *to = &o->plan->nodes.items[edge->to];
	bool closes = n->kind == NODE_MODULE_CLOSE;

	if (node_is_from_state(to) || (node_is_resource(to) && !closes))
		return;
	order_edge(o, o->ends[node].in, o->ends[edge->to].out,
		   closes && to->kind == NODE_VARIABLE ? EDGE_UNUSED
						       : EDGE_HARD,
		   edge->why, edge->implied);
}

static void connect_config(struct ordering *o)
{
	for (uint32_t i = 0; i < o->plan->nodes.len; i++) {
		const struct graph_node *n = &o->plan->nodes.items[i];
		struct ref_ctx ctx = { o, i };

		if (node_is_from_state(n) ||
		    (o->o->destroy && n->kind == NODE_OUTPUT &&
		     !n->module->parent))
			continue;
		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = o->plan->edges.items[e].next)
			connect_config_node(o, i, &o->plan->edges.items[e]);
		plan_graph_resource_refs(o->a, o->ag->pg, i, connect_reference,
					 &ctx);
	}
}

static void connect_links(struct ordering *o)
{
	for (size_t i = 0; o->o->links && i < o->o->links->len; i++) {
		const struct graph_link *l = &o->o->links->items[i];
		uint32_t from = graph_find(o->plan, l->from);
		uint32_t to = graph_find(o->plan, l->to);

		if (from != GRAPH_NONE && to != GRAPH_NONE &&
		    node_is_resource(&o->plan->nodes.items[to]) &&
		    !node_is_from_state(&o->plan->nodes.items[from]))
			order_after(o, o->ends[from].in, o->ends[to].out, NULL);
	}
}

static int add_own_links(struct ordering *o)
{
	int rc = 0;

	for (size_t i = 0; o->o->own_links && i < o->o->own_links->len; i++) {
		const struct graph_link *l = &o->o->own_links->items[i];
		uint32_t from = graph_find(o->g, l->from);
		uint32_t to = graph_find(o->g, l->to);

		if (from != GRAPH_NONE && to != GRAPH_NONE)
			order_after(o, from, to, "edited");
		else
			rc = diag_error(
				o->ds, NULL, "Edited record cannot be used",
				"A record edge was added, from %.*s to %.*s, and the plan does nothing with %.*s. \"tf-graph -apply\" shows what can be named.",
				STR_ARG(l->from), STR_ARG(l->to),
				STR_ARG(from == GRAPH_NONE ? l->from : l->to));
	}
	return rc;
}

static bool nested_in_check(const struct apply_node *an)
{
	return an->kind == APPLY_CHANGE && an->config && an->config->check;
}

/* The data source of a check block is read when all changes are made; which
 * instances it has is known before. */
static void connect_checks(struct ordering *o)
{
	const size_t n = o->g->nodes.len;
	uint32_t all = GRAPH_NONE;

	for (uint32_t i = 0; i < n; i++) {
		if (!nested_in_check(apply_node(o->ag, i)))
			continue;
		if (all == GRAPH_NONE)
			all = order_join(o, STR("(execute checks)"));
		order_after(o, i, all, "check");
	}
	for (uint32_t i = 0; all != GRAPH_NONE && i < n; i++)
		if (o->g->nodes.items[i].kind == NODE_RESOURCE &&
		    apply_node(o->ag, i)->kind == APPLY_CHANGE)
			order_after(o, all, i, NULL);
}

/* An object that is created before it is destroyed forces the same on those
 * that it depends on, if something is done to both. */
static void force_cbd(struct ordering *o)
{
	size_t n = o->g->nodes.len;
	unsigned char *set = order_marks(o, o->g);

	for (uint32_t i = 0; i < n; i++)
		set[i] = apply_node(o->ag, i)->cbd;
	graph_reach(o->g, set, false);
	for (uint32_t i = 0; i < n; i++) {
		struct apply_node *an = apply_node(o->ag, i);

		an->cbd = set[i] && an->kind == APPLY_CHANGE;
	}
	arena_reset(&o->scratch);
}

static int build(struct ordering *o, const struct change_vec *changes)
{
	size_t n = o->plan->nodes.len + changes->len;
	int rc = 0;

	o->g = o->ag->g = graph_new(o->a);
	graph_reserve(o->g, n + o->plan->nodes.len, n,
		      o->plan->edges.len * 2 + n);
	add_config_nodes(o);
	for (size_t i = 0; i < changes->len; i++)
		o->moved |= order_moves(changes->items[i]);
	for (size_t i = 0; i < changes->len; i++)
		rc |= order_change(o, changes->items[i]);
	if (rc)
		return -1;
	connect_config(o);
	connect_links(o);
	connect_checks(o);
	force_cbd(o);
	order_destroy_edges(o);
	rc = add_own_links(o);
	order_give_way(o);
	if (target_set_narrows(&o->o->only) || o->o->ntaken)
		order_select_outputs(o);
	order_mark_needed(o);
	return rc;
}

struct apply_graph *apply_graph_build(struct arena *a, const struct config *c,
				      const struct state *state,
				      const struct change_vec *changes,
				      const struct apply_graph_options *options,
				      struct diags *ds)
{
	struct ordering o = { .a = a,
			      .scratch = ARENA_INIT,
			      .config = c,
			      .state = state,
			      .o = options,
			      .ds = ds };
	int rc;

	o.ag = ARENA_NEW(a, struct apply_graph);
	o.ag->pg = plan_graph_build(a, c, state, PLAN_GRAPH_NORMAL, ds);
	if (!o.ag->pg)
		return NULL;
	o.plan = o.ag->pg->g;
	o.ag->pg->only_reads = options->refresh_only;
	if (options->links && plan_graph_link(o.ag->pg, options->links, ds))
		return NULL;
	plan_graph_select(o.ag->pg, &options->only);
	rc = build(&o, changes);
	arena_release(&o.scratch);
	return rc || graph_check_cycles(a, o.g, ds) ? NULL : o.ag;
}
