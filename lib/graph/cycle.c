/*
 * cycle.c - shortest paths in a graph: why one node depends on another, and
 * the shortest cycle
 */
#include <stdlib.h>

#include "graph/graph.h"

/* A breadth-first search along dependencies, reusable: `seen` holds the number
 * of the search that met a node. */
struct search {
	const struct graph *g;
	uint32_t *seen, *from, *via, *queue, *depth;
	uint32_t round;
	uint64_t budget; /* edges that may still be looked at */
};

static void search_init(struct search *s, const struct graph *g)
{
	size_t n = g->nodes.len + 1;

	*s = (struct search){ .g = g, .budget = UINT64_MAX };
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

/* The length of the shortest non-empty path from -> ... -> to that stays among
 * the nodes in `among` (NULL: all) and is shorter than `limit`; 0 if there is
 * none.  s->from and s->via lead back from `to`. */
static uint32_t search_run(struct search *s, uint32_t from, uint32_t to,
			   const unsigned char *among, uint32_t limit)
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

			if (s->budget-- == 0)
				return 0;
			if (s->seen[u] == s->round || (among && !among[u]))
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

/* Marks what can lie on a cycle: all that graph_order leaves over. */
static unsigned char *left_over(const struct graph *g, size_t *n)
{
	uint32_t *order = xcalloc(g->nodes.len + 1, sizeof(*order));
	unsigned char *left = xmalloc(g->nodes.len + 1);
	size_t done = graph_order(g, order);

	memset(left, 1, g->nodes.len + 1);
	for (size_t i = 0; i < done; i++)
		left[order[i]] = 0;
	free(order);
	*n = g->nodes.len - done;
	return left;
}

int graph_cycle(struct arena *a, const struct graph *g,
		struct graph_path *out)
{
	size_t n;
	unsigned char *left = left_over(g, &n);
	uint32_t best = UINT32_MAX;
	struct search s;

	if (!n) {
		free(left);
		return -1;
	}
	search_init(&s, g);
	/* Hostile graphs get a short cycle, not surely the shortest. */
	s.budget = 20000000;
	for (uint32_t v = 0; v < g->nodes.len && best > 1; v++) {
		uint32_t len;

		if (!left[v])
			continue;
		if (s.budget == 0 || s.budget == UINT64_MAX) {
			if (best != UINT32_MAX)
				break;
			s.budget = UINT64_MAX - 1; /* find one at least */
		}
		len = search_run(&s, v, v, left, best);
		if (len && len < best) {
			best = len;
			search_path(a, &s, v, len, out);
		}
	}
	search_free(&s);
	free(left);
	return best == UINT32_MAX ? -1 : 0;
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

int graph_check_cycles(struct arena *a, const struct graph *g,
		       struct diags *ds)
{
	struct graph_path p;
	struct buf names = BUF_INIT, steps = BUF_INIT;

	if (graph_cycle(a, g, &p))
		return 0;
	for (size_t i = 0; i < p.len; i++) {
		const struct graph_node *n = &g->nodes.items[p.nodes[i]];
		const struct graph_node *to =
			&g->nodes.items[p.edges[i]->to];

		buf_addf(&names, "%s%.*s", i ? ", " : "", STR_ARG(n->address));
		buf_addf(&steps, "\n  %.*s depends on %.*s",
			 STR_ARG(n->address), STR_ARG(to->address));
		edge_place(&steps, p.edges[i]);
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
	return -1;
}
