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

/* The shortest cycle among the nodes that are marked. */
static int shortest(struct arena *a, struct search *s,
		    const unsigned char *among, struct graph_path *out)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t v = 0; v < s->g->nodes.len && best > 1; v++) {
		uint32_t len;

		if (!among[v])
			continue;
		if (s->budget == 0 || s->budget == UINT64_MAX) {
			if (best != UINT32_MAX)
				break;
			s->budget = UINT64_MAX - 1; /* find one at least */
		}
		len = search_run(s, v, v, among, best);
		if (len && len < best) {
			best = len;
			search_path(a, s, v, len, out);
		}
	}
	return best == UINT32_MAX ? -1 : 0;
}

/* Hostile graphs get short cycles, not surely the shortest. */
enum { MOST_WORK = 20000000 };

int graph_cycle(struct arena *a, const struct graph *g,
		struct graph_path *out)
{
	size_t n;
	unsigned char *left = left_over(g, &n);
	struct search s;
	int rc = -1;

	if (n) {
		search_init(&s, g);
		s.budget = MOST_WORK;
		rc = shortest(a, &s, left, out);
		search_free(&s);
	}
	free(left);
	return rc;
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
		const struct graph_node *to =
			&g->nodes.items[p->edges[i]->to];

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

static bool names_itself(const struct graph *g, uint32_t v)
{
	for (uint32_t e = g->nodes.items[v].first; e != GRAPH_NONE;
	     e = g->edges.items[e].next)
		if (g->edges.items[e].to == v)
			return true;
	return false;
}

/* One of each component, for those have nothing to do with each other. */
static void report_all(struct arena *a, const struct graph *g,
		       struct diags *ds)
{
	const uint32_t *of = graph_components(a, g);
	const size_t n = g->nodes.len + 1;
	uint32_t *size = xcalloc(n, sizeof(*size));
	unsigned char *among = xmalloc(n);
	struct graph_path p;
	struct search s;

	search_init(&s, g);
	s.budget = MOST_WORK;
	for (uint32_t v = 0; v < g->nodes.len; v++)
		size[of[v]] += 1 + names_itself(g, v);
	for (uint32_t v = 0; v < g->nodes.len; v++) {
		if (size[of[v]] < 2)
			continue;
		size[of[v]] = 0; /* once */
		for (uint32_t u = 0; u < g->nodes.len; u++)
			among[u] = of[u] == of[v];
		if (!shortest(a, &s, among, &p))
			report(g, &p, ds);
	}
	search_free(&s);
	free(size);
	free(among);
}

int graph_check_cycles(struct arena *a, const struct graph *g,
		       struct diags *ds)
{
	size_t n;

	free(left_over(g, &n));
	if (n)
		report_all(a, g, ds);
	return n ? -1 : 0;
}
