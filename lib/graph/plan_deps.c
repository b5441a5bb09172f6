/* plan_deps.c - the resources behind a node: what the state records as
 * dependencies, and what delays reading a data source */
#include <stdlib.h>

#include "graph/plan_graph.h"
#include "addr/reference.h"
#include "graph/graph_int.h"

enum { MANY = 16 };

/* Marks are stamps, so that nothing has to be cleared between searches. */
static void begin(struct plan_graph *pg)
{
	if (!pg->stamps)
		pg->stamps = ARENA_ARRAY(pg->g->arena, uint32_t,
					 pg->g->nodes.len + 1);
	pg->stamp++;
}

static bool mark(struct plan_graph *pg, uint32_t node)
{
	if (pg->stamps[node] == pg->stamp)
		return false;
	pg->stamps[node] = pg->stamp;
	return true;
}

static bool is_resource(const struct graph_node *n)
{
	return node_is_resource(n) || node_is_from_state(n);
}

/* Marks all that node depends on (not node itself) and puts the resources
 * among it in out, those of the state, too. */
static void resources_behind(struct arena *a, struct plan_graph *pg,
			     uint32_t node, struct node_vec *out)
{
	const struct graph *g = pg->g;
	struct node_vec stack = { 0 };

	vec_push(a, &stack, node);
	while (stack.len) {
		uint32_t v = stack.items[--stack.len];

		for (uint32_t e = g->nodes.items[v].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			if (!mark(pg, to))
				continue;
			vec_push(a, &stack, to);
			if (is_resource(&g->nodes.items[to]))
				vec_push(a, out, to);
		}
	}
}

bool plan_graph_left_out(struct plan_graph *pg, uint32_t value,
			 bool (*complete)(void *data, uint32_t node),
			 void *data)
{
	const struct graph *g = pg->g;
	struct arena scratch = ARENA_INIT;
	struct node_vec stack = { 0 };
	bool found = false;

	begin(pg);
	vec_push(&scratch, &stack, value);
	while (stack.len && !found) {
		uint32_t v = stack.items[--stack.len];

		for (uint32_t e = g->nodes.items[v].first;
		     e != GRAPH_NONE && !found; e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			if (node_is_resource(&g->nodes.items[to]))
				found = select_depends_on_left_out(pg, v, to) &&
					!complete(data, to);
			else if (mark(pg, to))
				vec_push(&scratch, &stack, to);
		}
	}
	arena_release(&scratch);
	return found;
}

static int by_address(const void *x, const void *y, void *graph)
{
	const struct graph_node *nodes = ((struct graph *)graph)->nodes.items;

	return str_cmp(nodes[*(const uint32_t *)x].address,
		       nodes[*(const uint32_t *)y].address);
}

static void sort_nodes(const struct plan_graph *pg, struct node_vec *nodes)
{
	if (nodes->len)
		qsort_r(nodes->items, nodes->len, sizeof(*nodes->items),
			by_address, pg->g);
}

/* The resources that are marked, but node; they are in order at once: sorting
 * is dearer where they are many. */
static void marked(struct arena *a, struct plan_graph *pg, uint32_t node,
		   struct node_vec *out)
{
	const struct graph *g = pg->g;

	if (!pg->resources.len) {
		for (uint32_t v = 0; v < g->nodes.len; v++)
			if (node_is_resource(&g->nodes.items[v]))
				vec_push(g->arena, &pg->resources, v);
		sort_nodes(pg, &pg->resources);
	}
	out->len = 0;
	for (size_t i = 0; i < pg->resources.len; i++) {
		const uint32_t v = pg->resources.items[i];

		if (v != node && pg->stamps[v] == pg->stamp)
			vec_push(a, out, v);
	}
}

/* Takes the nodes of the state out of nodes. */
static void split(struct arena *a, const struct plan_graph *pg,
		  struct node_vec *nodes, struct node_vec *of_state)
{
	size_t n = 0;

	for (size_t i = 0; i < nodes->len; i++) {
		const uint32_t v = nodes->items[i];

		if (node_is_from_state(&pg->g->nodes.items[v]))
			vec_push(a, of_state, v);
		else
			nodes->items[n++] = v;
	}
	nodes->len = n;
}

static struct str without_keys(struct arena *a, const struct graph_node *n)
{
	const struct state_resource *r = n->object;
	struct buf b = BUF_INIT;
	struct str text;

	module_addr_print_path(&b, r->module);
	if (r->module.len)
		buf_putc(&b, '.');
	resource_addr_print(&b, r->addr);
	text = buf_dup(a, &b);
	buf_release(&b);
	return text;
}

/* Dependencies of the configuration and of the state, each once, but for self.
 */
static void merge(struct arena *a, const struct plan_graph *pg,
		  const struct node_vec *of_state, struct str self,
		  struct plan_deps *out)
{
	size_t n = 0, all = out->n + of_state->len;
	struct str *now = ARENA_ARRAY(a, struct str, all);

	for (size_t i = 0; i < out->n; i++)
		now[i] = out->items[i];
	for (size_t i = 0; i < of_state->len; i++)
		now[out->n + i] =
			without_keys(a,
				     &pg->g->nodes.items[of_state->items[i]]);
	str_sort(now, all);
	for (size_t i = 0; i < all; i++)
		if (!str_eq(now[i], self) &&
		    (!n || !str_eq(now[i], now[n - 1])))
			now[n++] = now[i];
	out->now = now;
	out->nnow = n;
}

struct plan_deps plan_graph_dependencies(struct arena *a, struct plan_graph *pg,
					 uint32_t node)
{
	struct arena scratch = ARENA_INIT;
	struct node_vec nodes = { 0 }, of_state = { 0 };
	struct plan_deps out;

	begin(pg);
	mark(pg, node);
	resources_behind(&scratch, pg, node, &nodes);
	split(&scratch, pg, &nodes, &of_state);
	if (nodes.len > MANY && nodes.len > pg->g->nodes.len / MANY)
		marked(&scratch, pg, node, &nodes);
	else
		sort_nodes(pg, &nodes);
	out.items = ARENA_ARRAY(a, struct str, nodes.len + 1);
	for (size_t i = 0; i < nodes.len; i++)
		out.items[i] = pg->g->nodes.items[nodes.items[i]].address;
	out.n = nodes.len;
	out.now = out.items;
	out.nnow = out.n;
	if (of_state.len)
		merge(a, pg, &of_state, pg->g->nodes.items[node].address, &out);
	arena_release(&scratch);
	return out;
}

struct waits {
	struct arena *a;
	struct plan_graph *pg;
	uint32_t node;
	struct node_vec named; /* what references mean, not yet searched */
	bool only_managed;     /* names of managed resources alone count */
};

static void name_nodes(void *data, const struct plan_graph_module *m,
		       const struct traversal_ref *t)
{
	struct waits *w = data;
	struct diags ignored = DIAGS_INIT(w->a);
	struct plan_ref_target to;
	struct reference r;

	if (reference_parse(w->a, t, &r, &ignored))
		return;
	if (w->only_managed &&
	    (r.kind != REF_RESOURCE || r.resource.mode != MODE_MANAGED))
		return;
	if (!plan_ref_resolve(w->pg, m, &r, &to))
		return;
	for (uint32_t i = 0; i < to.count; i++)
		if (to.first + i != w->node)
			vec_push(w->a, &w->named, to.first + i);
	if (to.close != GRAPH_NONE)
		vec_push(w->a, &w->named, to.close);
}

static void name_all(struct waits *w, const struct plan_graph_module *m,
		     const struct traversal_vec *v)
{
	for (size_t i = 0; i < v->len; i++)
		name_nodes(w, m, &v->items[i]);
}

/* What is left of an object that was replaced changes nothing. */
static bool is_managed(const struct graph_node *n)
{
	return is_resource(n) && n->kind != NODE_DEPOSED &&
	       graph_node_resource(n).mode == MODE_MANAGED;
}

static void keep_managed(struct arena *a, const struct plan_graph *pg,
			 const struct node_vec *from, struct node_vec *out)
{
	for (size_t i = 0; i < from->len; i++)
		if (is_managed(&pg->g->nodes.items[from->items[i]]))
			vec_push(a, out, from->items[i]);
}

/* Named resources count themselves; what is not a resource, and with `deep`
 * everything, counts for all resources behind it. */
static void settle(struct waits *w, bool deep, struct node_vec *found)
{
	for (size_t i = 0; i < w->named.len; i++) {
		uint32_t v = w->named.items[i];
		bool resource = node_is_resource(&w->pg->g->nodes.items[v]);

		if (resource && (w->pg->stamps[v] != w->pg->stamp || !deep))
			vec_push(w->a, found, v);
		if (!resource || deep)
			resources_behind(w->a, w->pg, v, found);
	}
	w->named.len = 0;
}

void plan_graph_data_waits(struct arena *a, struct plan_graph *pg,
			   uint32_t node, struct node_vec *out)
{
	const struct cfg_resource *r = pg->g->nodes.items[node].object;
	struct waits w = { .a = a, .pg = pg, .node = node };
	const struct plan_graph_module *m = plan_module(pg, r->module);
	struct node_vec found = { 0 };

	begin(pg);
	mark(pg, node);
	if (r->lifecycle->preconditions.len ||
	    r->lifecycle->postconditions.len) {
		resources_behind(a, pg, node, &found);
		keep_managed(a, pg, &found, out);
		return;
	}
	name_all(&w, m, &r->depends_on);
	w.only_managed = true;
	plan_node_references(a, pg, node, name_nodes, NULL, &w);
	w.only_managed = false;
	settle(&w, false, &found);
	for (; m->parent; m = m->parent) {
		name_all(&w, m->parent, &m->config->call->depends_on);
		settle(&w, true, &found);
	}
	keep_managed(a, pg, &found, out);
}
