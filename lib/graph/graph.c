/* graph.c - see graph.h: nodes, edges, order, reachability */
#include <stdlib.h>

#include "graph/graph.h"

static const char *const kind_names[] = {
	[NODE_RESOURCE] = "resource",   [NODE_DATA] = "data",
	[NODE_EPHEMERAL] = "ephemeral", [NODE_LOCAL] = "local",
	[NODE_VARIABLE] = "variable",   [NODE_OUTPUT] = "output",
	[NODE_MODULE] = "module",       [NODE_MODULE_CLOSE] = "module_close",
	[NODE_PROVIDER] = "provider",   [NODE_CHECK] = "check",
	[NODE_ORPHAN] = "orphan",       [NODE_DEPOSED] = "deposed",
	[NODE_DESTROY] = "destroy",     [NODE_JOIN] = "join",
};

const char *node_kind_name(enum node_kind k)
{
	return kind_names[k];
}

struct graph *graph_new(struct arena *a)
{
	struct graph *g = ARENA_NEW(a, struct graph);

	g->arena = a;
	return g;
}

void graph_reserve(struct graph *g, size_t nodes, size_t named, size_t edges)
{
	g->nodes.items = arena_alloc(g->arena, nodes * sizeof(*g->nodes.items));
	g->nodes.cap = nodes;
	g->edges.items = arena_alloc(g->arena, edges * sizeof(*g->edges.items));
	g->edges.cap = edges;
	for (g->npairs = 64; g->npairs < (edges + 1) * 2;)
		g->npairs *= 2;
	g->pairs = ARENA_ARRAY(g->arena, uint32_t, g->npairs);
	map_reserve(g->arena, &g->by_address, named);
}

uint32_t graph_add(struct graph *g, enum node_kind kind, struct str address,
		   struct cfg_module *module, void *object)
{
	struct graph_node n = {
		.kind = kind,
		.selected = true,
		.address = address,
		.module = module,
		.object = object,
		.first = GRAPH_NONE,
		.last = GRAPH_NONE,
	};

	vec_push(g->arena, &g->nodes, n);
	if (kind != NODE_JOIN)
		map_put(g->arena, &g->by_address, address,
			(void *)g->nodes.len);
	return (uint32_t)(g->nodes.len - 1);
}

uint32_t graph_find(const struct graph *g, struct str address)
{
	uintptr_t i = (uintptr_t)map_get(&g->by_address, address);

	return i ? (uint32_t)(i - 1) : GRAPH_NONE;
}

/* Where the edge from one to the other is in the set, or belongs. */
static size_t pair_slot(const struct graph *g, uint32_t from, uint32_t to)
{
	const struct graph_edge *e = g->edges.items;
	uint64_t pair = ((uint64_t)from << 32) | to;
	uint64_t h = (pair + 1) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(h ^ (h >> 29)) & (g->npairs - 1);

	while (g->pairs[i] &&
	       (e[g->pairs[i] - 1].from != from || e[g->pairs[i] - 1].to != to))
		i = (i + 1) & (g->npairs - 1);
	return i;
}

static void pairs_grow(struct graph *g)
{
	const struct graph_edge *e = g->edges.items;

	g->npairs = g->npairs ? g->npairs * 2 : 64;
	g->pairs = ARENA_ARRAY(g->arena, uint32_t, g->npairs);
	for (uint32_t i = 0; i < g->edges.len; i++)
		g->pairs[pair_slot(g, e[i].from, e[i].to)] = i + 1;
}

static void append(struct graph *g, struct graph_node *n, uint32_t edge)
{
	g->edges.items[edge].next = GRAPH_NONE;
	if (n->first == GRAPH_NONE)
		n->first = edge;
	else
		g->edges.items[n->last].next = edge;
	n->last = edge;
	n->ndeps++;
}

uint32_t graph_edge(struct graph *g, uint32_t from, uint32_t to,
		    const struct traversal_ref *why, const char *implied)
{
	struct graph_edge e = {
		.from = from,
		.to = to,
		.next = GRAPH_NONE,
		.why = why,
		.implied = implied,
	};
	const uint32_t edge = (uint32_t)g->edges.len;
	size_t slot;

	if ((edge + 1) * (size_t)2 > g->npairs)
		pairs_grow(g);
	slot = pair_slot(g, from, to);
	if (g->pairs[slot])
		return g->pairs[slot] - 1;
	g->pairs[slot] = edge + 1;
	vec_push(g->arena, &g->edges, e);
	append(g, &g->nodes.items[from], edge);
	return edge;
}

void graph_cut(struct graph *g, uint32_t node)
{
	struct graph_node *n = &g->nodes.items[node];

	n->first = n->last = GRAPH_NONE;
	n->ndeps = 0;
}

void graph_leave_out(struct graph *g, const unsigned char *marked)
{
	for (uint32_t i = 0; i < g->nodes.len; i++)
		graph_cut(g, i);
	for (uint32_t e = 0; e < g->edges.len; e++)
		if (!marked[e])
			append(g, &g->nodes.items[g->edges.items[e].from], e);
}

void graph_note(struct graph *g, uint32_t from, struct str instance)
{
	const uint32_t edge = g->nodes.items[from].last;
	struct graph_note n = { .edge = edge };

	if (!instance.n || edge + 1 != g->edges.len)
		return;
	vec_push(g->arena, &n.instances, instance);
	vec_push(g->arena, &g->notes, n);
}

/* The place of the first note that is not of an edge before this one. */
static size_t note_place(const struct graph *g, uint32_t edge)
{
	size_t low = 0, high = g->notes.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (g->notes.items[mid].edge < edge)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void graph_note_edge(struct graph *g, uint32_t edge,
		     const struct str_vec *instances)
{
	const size_t at = note_place(g, edge);
	const struct graph_note n = { edge, *instances };

	if (!instances->len)
		return;
	vec_push(g->arena, &g->notes, n);
	memmove(g->notes.items + at + 1, g->notes.items + at,
		(g->notes.len - 1 - at) * sizeof(n));
	g->notes.items[at] = n;
}

const struct graph_note *graph_noted(const struct graph *g, uint32_t edge)
{
	const size_t at = note_place(g, edge);

	return at < g->notes.len && g->notes.items[at].edge == edge
		       ? &g->notes.items[at]
		       : NULL;
}

/* The edges turned round: users of node i are at users[first[i]..first[i+1]).
 */
struct reversed {
	uint32_t *first;
	uint32_t *users;
};

static struct reversed reverse(const struct graph *g)
{
	struct reversed r;

	r.first = xcalloc(g->nodes.len + 3, sizeof(*r.first));
	r.users = xcalloc(g->edges.len + 1, sizeof(*r.users));
	/* Counted two places on, so that filling moves each start to where
	 * it belongs. */
	for (size_t i = 0; i < g->nodes.len; i++)
		for (uint32_t e = g->nodes.items[i].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next)
			r.first[g->edges.items[e].to + 2]++;
	for (size_t i = 2; i < g->nodes.len + 2; i++)
		r.first[i] += r.first[i - 1];
	for (uint32_t i = 0; i < g->nodes.len; i++)
		for (uint32_t e = g->nodes.items[i].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next)
			r.users[r.first[g->edges.items[e].to + 1]++] = i;
	return r;
}

static void reversed_free(struct reversed *r)
{
	free(r->first);
	free(r->users);
}

size_t graph_order(const struct graph *g, uint32_t *out)
{
	struct reversed r = reverse(g);
	uint32_t *left = xcalloc(g->nodes.len + 1, sizeof(*left));
	size_t head = 0, tail = 0;

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		left[i] = g->nodes.items[i].ndeps;
		if (!left[i])
			out[tail++] = i;
	}
	while (head < tail) {
		uint32_t n = out[head++];

		for (uint32_t k = r.first[n]; k < r.first[n + 1]; k++)
			if (--left[r.users[k]] == 0)
				out[tail++] = r.users[k];
	}
	free(left);
	reversed_free(&r);
	return tail;
}

/* Marks a node that is not marked yet, and puts it on the stack. */
static void mark(uint32_t node, unsigned char *set, uint32_t *stack, size_t *n)
{
	if (set[node])
		return;
	set[node] = 1;
	stack[(*n)++] = node;
}

void graph_reach_along(const struct graph *g, unsigned char *set,
		       graph_follow_fn *follow)
{
	const struct graph_node *nodes = g->nodes.items;
	uint32_t *stack = xcalloc(g->nodes.len + 1, sizeof(*stack));
	size_t n = 0;

	for (uint32_t i = 0; i < g->nodes.len; i++)
		if (set[i])
			stack[n++] = i;
	while (n) {
		const struct graph_node *x = &nodes[stack[--n]];

		for (uint32_t e = x->first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			if (!follow || follow(x, &nodes[to]))
				mark(to, set, stack, &n);
		}
	}
	free(stack);
}

static void reach_users(const struct graph *g, unsigned char *set)
{
	uint32_t *stack = xcalloc(g->nodes.len + 1, sizeof(*stack));
	struct reversed r = reverse(g);
	size_t n = 0;

	for (uint32_t i = 0; i < g->nodes.len; i++)
		if (set[i])
			stack[n++] = i;
	while (n) {
		uint32_t v = stack[--n];

		for (uint32_t k = r.first[v]; k < r.first[v + 1]; k++)
			mark(r.users[k], set, stack, &n);
	}
	free(stack);
	reversed_free(&r);
}

void graph_reach(const struct graph *g, unsigned char *set, bool backwards)
{
	if (backwards)
		reach_users(g, set);
	else
		graph_reach_along(g, set, NULL);
}
