/*
 * components.c - the strongly connected components of a graph (Tarjan): which
 * nodes depend on each other; without recursion, for graphs are deep
 */
#include "graph/graph.h"

struct tarjan {
	const struct graph *g;
	uint32_t *index, *low, *edge, *component, *stack, *path;
	size_t nstack, npath;
	uint32_t next, ncomponents;
	bool *on_stack;
};

static void visit(struct tarjan *t, uint32_t v)
{
	t->index[v] = t->low[v] = ++t->next;
	t->edge[v] = t->g->nodes.items[v].first;
	t->stack[t->nstack++] = v;
	t->on_stack[v] = true;
	t->path[t->npath++] = v;
}

static void leave(struct tarjan *t, uint32_t v)
{
	t->npath--;
	if (t->npath && t->low[v] < t->low[t->path[t->npath - 1]])
		t->low[t->path[t->npath - 1]] = t->low[v];
	if (t->low[v] != t->index[v])
		return;
	for (;;) {
		uint32_t w = t->stack[--t->nstack];

		t->on_stack[w] = false;
		t->component[w] = t->ncomponents;
		if (w == v)
			break;
	}
	t->ncomponents++;
}

static void search(struct tarjan *t, uint32_t root)
{
	visit(t, root);
	while (t->npath) {
		uint32_t v = t->path[t->npath - 1], e = t->edge[v], to;

		if (e == GRAPH_NONE) {
			leave(t, v);
			continue;
		}
		t->edge[v] = t->g->edges.items[e].next;
		to = t->g->edges.items[e].to;
		if (!t->index[to])
			visit(t, to);
		else if (t->on_stack[to] && t->index[to] < t->low[v])
			t->low[v] = t->index[to];
	}
}

uint32_t *graph_components(struct arena *a, const struct graph *g)
{
	struct arena scratch = ARENA_INIT;
	size_t n = g->nodes.len + 1;
	struct tarjan t = { .g = g };

	t.index = ARENA_ARRAY(&scratch, uint32_t, n);
	t.low = ARENA_ARRAY(&scratch, uint32_t, n);
	t.edge = ARENA_ARRAY(&scratch, uint32_t, n);
	t.stack = ARENA_ARRAY(&scratch, uint32_t, n);
	t.path = ARENA_ARRAY(&scratch, uint32_t, n);
	t.on_stack = ARENA_ARRAY(&scratch, bool, n);
	t.component = ARENA_ARRAY(a, uint32_t, n);
	for (uint32_t v = 0; v < g->nodes.len; v++)
		if (!t.index[v])
			search(&t, v);
	arena_release(&scratch);
	return t.component;
}
