/* graph_walk.c - see graph.h: visiting nodes as their dependencies get done */
#include "graph/graph.h"

struct graph_walk {
	const struct graph *g;
	const struct graph_walk_ops *ops;
	void *data;
	uint32_t *left;  /* dependencies not done yet, by node */
	uint32_t *first; /* users of node i: users[first[i]..first[i+1]) */
	uint32_t *users;
	uint32_t *ready; /* a queue: every node enters once */
	size_t head, tail;
	unsigned char *failed; /* or skipped */
	size_t running;
	bool stopped, draining, finished;
};

struct graph_walk *graph_walk_new(struct arena *a, const struct graph *g,
				  const struct graph_walk_ops *ops, void *data)
{
	struct graph_walk *w = ARENA_NEW(a, struct graph_walk);
	size_t n = g->nodes.len;

	w->g = g;
	w->ops = ops;
	w->data = data;
	w->left = ARENA_ARRAY(a, uint32_t, n + 1);
	w->first = ARENA_ARRAY(a, uint32_t, n + 3);
	w->users = ARENA_ARRAY(a, uint32_t, g->edges.len + 1);
	w->ready = ARENA_ARRAY(a, uint32_t, n + 1);
	w->failed = ARENA_ARRAY(a, unsigned char, n + 1);
	/* Counted two places on, so that filling moves each start to where
	 * it belongs. */
	for (size_t i = 0; i < n; i++)
		for (uint32_t e = g->nodes.items[i].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next)
			w->first[g->edges.items[e].to + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		w->first[i] += w->first[i - 1];
	for (uint32_t i = 0; i < n; i++) {
		w->left[i] = g->nodes.items[i].ndeps;
		for (uint32_t e = g->nodes.items[i].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next)
			w->users[w->first[g->edges.items[e].to + 1]++] = i;
	}
	return w;
}

static void make_ready(struct graph_walk *w, uint32_t node)
{
	w->ready[w->tail++] = node;
}

/* The node is over: its users lose a dependency. */
static void over(struct graph_walk *w, uint32_t node, bool failed)
{
	if (failed)
		w->failed[node] = 1;
	for (uint32_t k = w->first[node]; k < w->first[node + 1]; k++) {
		uint32_t u = w->users[k];

		if (failed)
			w->failed[u] = 1;
		if (--w->left[u] == 0)
			make_ready(w, u);
	}
}

static void drain(struct graph_walk *w)
{
	if (w->draining)
		return;
	w->draining = true;
	while (w->head < w->tail && !w->stopped) {
		uint32_t n = w->ready[w->head++];

		if (w->failed[n]) {
			if (w->ops->skip)
				w->ops->skip(w->data, w, n);
			over(w, n, true);
			continue;
		}
		w->running++;
		w->ops->start(w->data, w, n);
	}
	w->draining = false;
	if (!w->running && !w->finished) {
		w->finished = true;
		if (w->ops->finished)
			w->ops->finished(w->data, w);
	}
}

void graph_walk_begin(struct graph_walk *w)
{
	for (uint32_t i = 0; i < w->g->nodes.len; i++)
		if (!w->left[i])
			make_ready(w, i);
	drain(w);
}

void graph_walk_done(struct graph_walk *w, uint32_t node, bool failed)
{
	w->running--;
	over(w, node, failed);
	drain(w);
}

void graph_walk_stop(struct graph_walk *w)
{
	w->stopped = true;
}

bool graph_walk_failed(const struct graph_walk *w, uint32_t node)
{
	return w->failed[node];
}
