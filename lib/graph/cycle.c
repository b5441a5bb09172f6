/*
 * cycle.c - shortest paths in a graph: why one node depends on another, and
 * the shortest cycles
 */
#include <stdlib.h>

#include "graph/draw.h"
#include "graph/graph.h"

/* A breadth-first search along dependencies, reusable: `seen` holds the number
 * of the search that met a node. */
struct search {
	const struct graph *g;
	uint32_t *seen, *from, *via, *queue, *depth;
	uint32_t round;
	/* Edges that may still be looked at for a path shorter than a known
	 * one: hostile graphs get short cycles, not surely the shortest. */
	uint64_t budget;
};

enum { MOST_WORK = 20000000 };

static void search_init(struct search *s, const struct graph *g)
{
	size_t n = g->nodes.len + 1;

	*s = (struct search){ .g = g, .budget = MOST_WORK };
	s->seen = xcalloc(n, sizeof(*s->seen));
	s->from = xcalloc(n, sizeof(*s->from));
	s->via = xcalloc(n, sizeof(*s->via));
	s->queue = xcalloc(n, sizeof(*s->queue));
	s->depth = xcalloc(n, sizeof(*s->depth));
}

static void search_free(struct search *s)
{
	free(s->seen);
	free(s->from);
	free(s->via);
	free(s->queue);
	free(s->depth);
}

/* The length of the shortest non-empty path from -> ... -> to that stays in the
 * component of `from` (of: the component of each node; NULL: anywhere) and is
 * shorter than `limit` (UINT32_MAX: none is known); 0 if there is none.
 * s->from and s->via lead back from `to`. */
static uint32_t search_run(struct search *s, uint32_t from, uint32_t to,
			   const uint32_t *of, uint32_t limit)
{
	const struct graph *g = s->g;
	size_t head = 0, tail = 0;

	s->round++;
	s->queue[tail++] = from;
	s->depth[from] = 0;
	if (from != to)
		s->seen[from] = s->round;
	while (head < tail) {
		uint32_t v = s->queue[head++];

		if (s->depth[v] + 1 >= limit)
			return 0;
		for (uint32_t e = g->nodes.items[v].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t u = g->edges.items[e].to;

			if (s->budget)
				s->budget--;
			else if (limit != UINT32_MAX)
				return 0;
			if (s->seen[u] == s->round || (of && of[u] != of[from]))
				continue;
			s->seen[u] = s->round;
			s->from[u] = v;
			s->via[u] = e;
			if (u == to)
				return s->depth[v] + 1;
			s->depth[u] = s->depth[v] + 1;
			s->queue[tail++] = u;
		}
	}
	return 0;
}

/* The path found last, `len` edges long. */
static void search_path(struct arena *a, const struct search *s, uint32_t to,
			uint32_t len, struct graph_path *out)
{
	uint32_t v = to;

	out->nodes = ARENA_ARRAY(a, uint32_t, len + 1);
	out->edges = ARENA_ARRAY(a, const struct graph_edge *, len + 1);
	out->len = len;
	out->nodes[len] = to;
	for (uint32_t i = len; i-- > 0;) {
		out->edges[i] = &s->g->edges.items[s->via[v]];
		v = s->from[v];
		out->nodes[i] = v;
	}
}

int graph_why(struct arena *a, const struct graph *g, uint32_t from,
	      uint32_t to, struct graph_path *out)
{
	struct search s;
	uint32_t len;

	search_init(&s, g);
	len = search_run(&s, from, to, NULL, UINT32_MAX);
	if (len) {
		search_path(a, &s, to, len, out);
		out->len = len + 1;
	}
	search_free(&s);
	return len ? 0 : -1;
}

static void edge_place(struct buf *b, const struct graph_edge *e)
{
	struct range r;

	if (!e->why) {
		if (e->implied)
			buf_addf(b, " (%s)", e->implied);
		return;
	}
	r = source_range(e->why->src, e->why->span);
	buf_addf(b, " at %.*s:%u,%u", STR_ARG(r.file), r.start.line,
		 r.start.column);
}

static void report(const struct graph *g, const struct graph_path *p,
		   struct diags *ds)
{
	struct buf names = BUF_INIT, steps = BUF_INIT;

	for (size_t i = 0; i < p->len; i++) {
		const struct graph_node *n = &g->nodes.items[p->nodes[i]];
		const struct graph_node *to = &g->nodes.items[p->edges[i]->to];

		buf_addf(&names, "%s%.*s", i ? ", " : "", STR_ARG(n->address));
		buf_addf(&steps, "\n  %.*s depends on %.*s",
			 STR_ARG(n->address), STR_ARG(to->address));
		edge_place(&steps, p->edges[i]);
	}
	struct diag d = {
		.severity = SEV_ERROR,
		.summary = str_printf(ds->arena, "Cycle: %.*s",
				      STR_ARG(buf_view(&names))),
		.detail = str_printf(ds->arena,
				     "These objects depend on each other:%.*s",
				     STR_ARG(buf_view(&steps))),
		.subject = RANGE_NONE, /* it has as many places as steps */
	};

	diags_push(ds, d);
	buf_release(&names);
	buf_release(&steps);
}

/* The shortest cycle of a component: from v on, each node leads to the next. */
static bool shortest(struct arena *a, struct search *s, const uint32_t *of,
		     uint32_t v, const uint32_t *next, struct graph_path *out)
{
	uint32_t best = UINT32_MAX;

	for (; v != GRAPH_NONE && best > 1; v = next[v]) {
		uint32_t len = search_run(s, v, v, of, best);

		if (!len)
			continue;
		best = len;
		search_path(a, s, v, len, out);
	}
	return best != UINT32_MAX;
}

/* Reports one cycle of each component: components share no node. */
static void report_all(struct arena *a, const struct graph *g, struct diags *ds)
{
	const uint32_t *of = graph_components(a, g);
	const uint32_t n = (uint32_t)g->nodes.len;
	uint32_t *first = xcalloc(n, sizeof(*first));
	uint32_t *next = xcalloc(n, sizeof(*next));
	struct graph_path p;
	struct search s;

	search_init(&s, g);
	memset(first, 0xff, n * sizeof(*first));
	for (uint32_t v = n; v-- > 0;) {
		next[v] = first[of[v]];
		first[of[v]] = v;
	}
	for (uint32_t v = 0; v < n; v++)
		if (first[of[v]] == v && shortest(a, &s, of, v, next, &p))
			report(g, &p, ds);
	search_free(&s);
	free(first);
	free(next);
}

int graph_check_cycles(struct arena *a, const struct graph *g, struct diags *ds)
{
	uint32_t *order = xcalloc(g->nodes.len + 1, sizeof(*order));
	size_t done = graph_order(g, order);

	free(order);
	if (done == g->nodes.len)
		return 0;
	report_all(a, g, ds);
	return -1;
}
