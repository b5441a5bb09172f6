/* graph_stage.c - see plan_int.h */
#include "engine/plan/plan_int.h"
#include "addr/target.h"
#include "graph/plan_select.h"
#include "state/backend/rows.h"
#include "stream/stream.h"
#include "stream/seal.h"

struct plan_graph *graph_stage_build(struct stage *s, struct diags *ds)
{
	const struct selectors *o = &s->selectors;
	bool destroy = o->mode == RUN_DESTROY;
	struct moves moves = { .results = { 0 } };
	struct destroy_selection d;
	struct plan_graph *pg;
	struct state *state;

	moves_collect(s->arena, s->config, s->state, &moves, ds);
	state = moves_apply(s->arena, &moves, s->state);
	pg = plan_graph_build(s->arena, s->config, state,
			      destroy ? PLAN_GRAPH_DESTROY : PLAN_GRAPH_NORMAL,
			      ds);
	if (!pg)
		return NULL;
	if (!destroy) {
		pg->only_reads = o->mode == RUN_REFRESH_ONLY;
		plan_graph_select(pg, &o->set);
	} else if (target_set_narrows(&o->set)) {
		destroy_select(s->arena, state, &o->set, &d);
		plan_graph_select_destroy(pg, &d);
	}
	return pg;
}

/* --- what is needed of the state --- */

/* Is anything said of objects that may be elsewhere in the state? */
static bool tells_of_moves(const struct config *c)
{
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		if (m->moved.len || m->removed.len)
			return true;
	}
	return false;
}

/* Resources of the targets themselves need not be in the configuration.
 * false: they are not known by their names. */
static bool add_named(struct arena *a, const struct target_set *set,
		      struct str_vec *out)
{
	for (size_t i = 0; i < set->targets.len; i++) {
		const struct target *t = &set->targets.items[i];

		if (t->glob.n || t->kind == TARGET_MODULE)
			return false;
		vec_push(a, out,
			 claim_resource(a, t->addr.module, t->addr.resource));
	}
	return true;
}

struct state_part *graph_stage_part(struct stage *s)
{
	const struct selectors *o = &s->selectors;
	struct diags unused = DIAGS_INIT(s->arena);
	struct state_part *part = ARENA_NEW(s->arena, struct state_part);
	struct plan_graph *pg;

	part->all_but = !o->set.targets.len;
	if (o->mode == RUN_DESTROY || !target_set_narrows(&o->set) ||
	    tells_of_moves(s->config) ||
	    !add_named(s->arena, &o->set, &part->resources))
		return NULL;
	pg = plan_graph_build(s->arena, s->config, state_new(s->arena),
			      PLAN_GRAPH_NORMAL, &unused);
	if (!pg)
		return NULL;
	pg->only_reads = o->mode == RUN_REFRESH_ONLY;
	plan_graph_select(pg, &o->set);
	for (size_t i = 0; i < pg->g->nodes.len; i++) {
		const struct graph_node *n = &pg->g->nodes.items[i];

		if (node_is_resource(n) && n->selected != part->all_but)
			vec_push(s->arena, &part->resources, n->address);
	}
	return part;
}

/* --- what was edited --- */

struct comparison {
	struct stage *s;
	const struct graph *g;
	struct arena scratch;
	struct seal_edit_vec nodes, edges; /* that were read */
	unsigned char *taken;              /* of the graph's nodes */
	struct diags *ds;
};

/* Hand-written ones need not say it. */
static bool of_plan(const struct seal_edit *x)
{
	return !x->phase.n || str_is(x->phase, "plan");
}

static struct str edge_key(struct comparison *c, uint32_t from, uint32_t to)
{
	uint32_t ends[] = { from, to };

	return (struct str){ arena_dup(&c->scratch, ends, sizeof(ends)),
			     sizeof(ends) };
}

/* Which nodes are not there any more?  None, if all were left out. */
static int find_taken(struct comparison *c)
{
	bool any = false;

	c->taken = ARENA_ARRAY(&c->scratch, unsigned char, c->g->nodes.len + 1);
	memset(c->taken, 1, c->g->nodes.len);
	for (size_t i = 0; i < c->nodes.len; i++) {
		const struct seal_edit *x = &c->nodes.items[i];
		uint32_t n = graph_find(c->g, x->address);

		if (!of_plan(x))
			continue;
		any = true;
		if (n == GRAPH_NONE)
			return override_refused(
				c->ds, "node", x->address,
				"The configuration and the state have no such object.");
		c->taken[n] = 0;
	}
	for (uint32_t i = 0; i < c->g->nodes.len; i++)
		if (!any || c->g->nodes.items[i].kind == NODE_JOIN)
			c->taken[i] = 0;
	return 0;
}

static struct str link_text(struct comparison *c, struct str from,
			    struct str to)
{
	return str_printf(c->s->arena, "%.*s to %.*s", STR_ARG(from),
			  STR_ARG(to));
}

/* Requires all edges between the nodes that were not taken out. */
static int check_edges(struct comparison *c, const struct map *read)
{
	for (uint32_t i = 0; read->len && i < c->g->nodes.len; i++) {
		const struct graph_node *n = &c->g->nodes.items[i];

		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = c->g->edges.items[e].next) {
			uint32_t to = c->g->edges.items[e].to;

			if (c->taken[i] || c->taken[to] ||
			    map_has(read, edge_key(c, i, to)))
				continue;
			return override_refused(
				c->ds, "edge",
				link_text(c, n->address,
					  c->g->nodes.items[to].address),
				"It was taken out, and what it says still "
				"holds. Edit the configuration, where the one "
				"names the other.");
		}
	}
	return 0;
}

static bool has_edge(const struct graph *g, uint32_t from, uint32_t to)
{
	for (uint32_t e = g->nodes.items[from].first; e != GRAPH_NONE;
	     e = g->edges.items[e].next)
		if (g->edges.items[e].to == to)
			return true;
	return false;
}

static int add_link(struct comparison *c, const struct seal_edit *x,
		    struct map *read)
{
	uint32_t from = graph_find(c->g, x->address);
	uint32_t to = graph_find(c->g, x->to);
	struct graph_link link = { x->address, x->to };

	bool known = from != GRAPH_NONE && to != GRAPH_NONE &&
		     has_edge(c->g, from, to);

	if (from == GRAPH_NONE || to == GRAPH_NONE ||
	    (!known && node_is_from_state(&c->g->nodes.items[from])))
		return override_refused(
			c->ds, "edge", link_text(c, x->address, x->to),
			"Both must be nodes of objects in the configuration. "
			"For the order of what is destroyed add one to the "
			"plan, by \"tf-graph -apply\".");
	map_put(&c->scratch, read, edge_key(c, from, to), c);
	if (!known && !c->taken[from] && !c->taken[to])
		vec_push(c->s->arena, &c->s->overrides.links, link);
	return 0;
}

static int compare_edges(struct comparison *c)
{
	struct map read = { 0 };

	for (size_t i = 0; i < c->edges.len; i++)
		if (of_plan(&c->edges.items[i]) &&
		    add_link(c, &c->edges.items[i], &read))
			return -1;
	return check_edges(c, &read);
}

/* Refuses other edits of a node or an edge that exists. */
static int check_members(struct comparison *c)
{
	const struct seal_edit_vec *all = &c->s->edits.graph;

	for (size_t i = 0; i < all->len; i++) {
		const struct seal_edit *x = &all->items[i];
		uint32_t from = graph_find(c->g, x->address), to;

		if (!x->to.n && from != GRAPH_NONE)
			return override_refused(
				c->ds, "node", x->address,
				"Leave it as it is, or take it out. What is "
				"selected is up to targets and excludes of the "
				"record options.");
		to = x->to.n ? graph_find(c->g, x->to) : GRAPH_NONE;
		if (from != GRAPH_NONE && to != GRAPH_NONE &&
		    has_edge(c->g, from, to))
			return override_refused(c->ds, "edge",
						link_text(c, x->address, x->to),
						"Leave it as it is.");
	}
	return 0;
}

/* --- what is left out --- */

static struct str resource_text(struct arena *a, const struct graph_node *n)
{
	const struct state_resource *r = n->object;
	struct buf b = BUF_INIT;

	if (!node_is_from_state(n))
		return n->address;
	module_addr_print_path(&b, r->module);
	if (b.len)
		buf_putc(&b, '.');
	resource_addr_print(&b, r->addr);
	return buf_take(a, &b);
}

static int exclude(struct comparison *c, const struct graph_node *n)
{
	struct arena *a = c->s->arena;
	struct target t;

	if (selector_parse(a, resource_text(a, n), "exclude", &t, c->ds))
		return -1;
	vec_push(a, &c->s->selectors.set.excludes, t);
	return 0;
}

/* Excludes the resources whose node was taken out, and those that need another
 * node that was.  Outputs taken out must need such a resource. */
static int leave_out(struct comparison *c)
{
	size_t n = c->g->nodes.len;
	unsigned char *out = ARENA_ARRAY(&c->scratch, unsigned char, n + 1);
	unsigned char *behind = ARENA_ARRAY(&c->scratch, unsigned char, n + 1);

	for (size_t i = 0; i < n; i++) {
		const struct graph_node *node = &c->g->nodes.items[i];

		out[i] = c->taken[i] && node->kind != NODE_OUTPUT;
	}
	graph_reach(c->g, out, true);
	memcpy(behind, out, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct graph_node *node = &c->g->nodes.items[i];

		if (out[i] &&
		    (node_is_resource(node) || node_is_from_state(node))) {
			if (exclude(c, node))
				return -1;
		} else if (c->taken[i] && !behind[i]) {
			return override_refused(
				c->ds, "node", node->address,
				"It was taken out, and nothing that it needs "
				"was. Take out the record of the "
				"configuration.");
		}
	}
	return 0;
}

int graph_stage_edits(struct stage *s, const struct stream_out *o,
		      struct diags *ds)
{
	struct comparison c = { .s = s, .scratch = ARENA_INIT, .ds = ds };
	struct plan_graph *pg;
	int rc;

	if (!s->edits.graph_edited || !stream_has_stage(&s->info, "tf-graph"))
		return 0;
	pg = graph_stage_build(s, ds);
	if (!pg)
		return -1;
	c.g = pg->g;
	seal_records_read(s->arena, o->seal, STR("node"), &c.nodes);
	seal_records_read(s->arena, o->seal, STR("edge"), &c.edges);
	rc = find_taken(&c) || compare_edges(&c) || check_members(&c) ||
	     leave_out(&c);
	arena_release(&c.scratch);
	return rc ? -1 : 0;
}
