/*
 * picture_edges.c - which boxes depend on which
 *
 * The boxes that a vertex reaches are bits.  Those of as many boxes as fit into
 * a few words are worked out at a time, for all vertices: memory is linear in
 * vertices, and time in edges by boxes / 64.
 */
#include <stdlib.h>

#include "graph/picture/picture_int.h"

enum { WORDS = 8, BITS = 64 * WORDS };

struct reach {
	uint64_t all[WORDS];     /* boxes that it reaches */
	uint64_t further[WORDS]; /* those of them that lie behind another */
};

struct ways { /* of a graph without cycles */
	uint32_t n;
	const uint32_t *order; /* dependencies first */
	size_t ordered;
	const uint32_t *first; /* n + 1: where its edges begin */
	const uint32_t *to;
	const uint32_t *box; /* GRAPH_NONE: none */
	uint32_t boxes;
	bool nearest; /* all the next boxes, whatever else leads to them */
};

static void add_edge(struct reach *r, const struct reach *to, uint32_t box,
		     uint32_t base, bool nearest)
{
	const bool drawn = box != GRAPH_NONE;

	if (drawn && box >= base && box - base < BITS)
		r->all[(box - base) / 64] |= UINT64_C(1) << (box - base) % 64;
	if (drawn && nearest)
		return;
	for (int i = 0; i < WORDS; i++) {
		r->all[i] |= to->all[i];
		r->further[i] |= drawn ? to->all[i] : to->further[i];
	}
}

static void take_found(struct picture *p, const struct reach *r, uint32_t from,
		       uint32_t base)
{
	for (uint32_t i = 0; i < WORDS; i++) {
		uint64_t found = r->all[i] & ~r->further[i];

		for (; found; found &= found - 1) {
			const uint32_t to = base + 64 * i +
					    (uint32_t)__builtin_ctzll(found);

			if (to != from)
				vec_push(p->arena, &p->edges,
					 (struct picture_edge){ from, to,
								false });
		}
	}
}

static int by_ends(const void *x, const void *y)
{
	const struct picture_edge *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* In order, each once. */
static void settle(struct picture *p)
{
	size_t n = 0;

	if (p->edges.len)
		qsort(p->edges.items, p->edges.len, sizeof(*p->edges.items),
		      by_ends);
	for (size_t i = 0; i < p->edges.len; i++)
		if (!n || by_ends(&p->edges.items[n - 1], &p->edges.items[i]))
			p->edges.items[n++] = p->edges.items[i];
	p->edges.len = n;
}

static void find_edges(struct picture *p, const struct ways *w)
{
	struct reach *reach = xcalloc((size_t)w->n + 1, sizeof(*reach));

	for (uint32_t base = 0; base < w->boxes; base += BITS)
		for (size_t i = 0; i < w->ordered; i++) {
			const uint32_t v = w->order[i];
			struct reach *r = &reach[v];

			*r = (struct reach){ .all = { 0 } };
			for (uint32_t e = w->first[v]; e < w->first[v + 1]; e++)
				add_edge(r, &reach[w->to[e]], w->box[w->to[e]],
					 base, w->nearest);
			if (w->box[v] != GRAPH_NONE)
				take_found(p, r, w->box[v], base);
		}
	free(reach);
	settle(p);
}

/* Of the nodes of the graph, which has no cycles: without folding this is all,
 * else the boxes are a graph of their own then. */
static void from_nodes(struct picture *p, bool nearest)
{
	const struct graph *g = p->graph;
	const size_t n = g->nodes.len;
	uint32_t *order = ARENA_ARRAY(p->arena, uint32_t, n + 1);
	uint32_t *first = ARENA_ARRAY(p->arena, uint32_t, n + 2);
	uint32_t *to = ARENA_ARRAY(p->arena, uint32_t, g->edges.len + 1);
	uint32_t at = 0;
	struct ways w = { .n = (uint32_t)n,
			  .order = order,
			  .first = first,
			  .to = to,
			  .box = p->box_of,
			  .boxes = (uint32_t)p->boxes.len,
			  .nearest = nearest };

	w.ordered = graph_order(g, order);
	for (size_t i = 0; i < n; i++) {
		first[i] = at;
		for (uint32_t e = g->nodes.items[i].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next)
			to[at++] = g->edges.items[e].to;
	}
	first[n] = at;
	find_edges(p, &w);
}

enum { NEW, OPEN, DONE };

struct search { /* depth first, over boxes */
	const uint32_t *first;
	struct picture_edge_vec *edges;
	unsigned char *is;
	uint32_t *next, *stack, *order;
	size_t depth, ordered;
};

static void search_from(struct search *s, uint32_t start)
{
	if (s->is[start] != NEW)
		return;
	s->stack[s->depth++] = start;
	s->is[start] = OPEN;
	while (s->depth) {
		const uint32_t v = s->stack[s->depth - 1];
		struct picture_edge *e;

		if (s->next[v] == s->first[v + 1]) {
			s->is[v] = DONE;
			s->order[s->ordered++] = v;
			s->depth--;
			continue;
		}
		e = &s->edges->items[s->next[v]++];
		if (s->is[e->to] == OPEN) {
			e->back = true;
		} else if (s->is[e->to] == NEW) {
			s->is[e->to] = OPEN;
			s->stack[s->depth++] = e->to;
		}
	}
}

/* Folding may make boxes depend on each other.  What closes a cycle is no part
 * of the reduction, and stays. */
static void reduce_boxes(struct picture *p)
{
	struct picture_edge_vec all = p->edges;
	const uint32_t n = (uint32_t)p->boxes.len;
	uint32_t *first = ARENA_ARRAY(p->arena, uint32_t, n + 2);
	uint32_t *kept = ARENA_ARRAY(p->arena, uint32_t, n + 2);
	uint32_t *to = ARENA_ARRAY(p->arena, uint32_t, all.len + 1);
	uint32_t *box = ARENA_ARRAY(p->arena, uint32_t, n + 1), at = 0;
	struct search s = { .first = first, .edges = &all };
	struct ways w = { .n = n, .to = to, .box = box, .boxes = n };

	s.is = ARENA_ARRAY(p->arena, unsigned char, n + 1);
	s.next = ARENA_ARRAY(p->arena, uint32_t, n + 1);
	s.stack = ARENA_ARRAY(p->arena, uint32_t, n + 1);
	s.order = ARENA_ARRAY(p->arena, uint32_t, n + 1);
	for (size_t i = 0; i < all.len; i++)
		first[all.items[i].from + 1]++;
	for (uint32_t i = 0; i < n; i++) {
		first[i + 1] += first[i];
		s.next[i] = first[i];
		box[i] = i;
	}
	for (uint32_t i = 0; i < n; i++)
		search_from(&s, i);
	w.order = s.order;
	w.ordered = s.ordered;
	w.first = kept;
	p->edges = (struct picture_edge_vec){ 0 };
	for (uint32_t i = 0; i < n; i++) {
		kept[i] = at;
		for (uint32_t e = first[i]; e < first[i + 1]; e++)
			if (!all.items[e].back)
				to[at++] = all.items[e].to;
	}
	kept[n] = at;
	find_edges(p, &w);
	for (size_t i = 0; i < all.len; i++)
		if (all.items[i].back)
			vec_push(p->arena, &p->edges, all.items[i]);
	settle(p);
}

void picture_connect(struct picture *p)
{
	from_nodes(p, p->folds > 0);
	if (p->folds)
		reduce_boxes(p);
}
