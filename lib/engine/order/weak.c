/*
 * weak.c - edges that give way where they close a cycle
 *
 * Such a cycle is no mistake of the user's: it comes of rules that cannot all
 * be kept.  Of the edges within a strongly connected component the weakest give
 * way, all of that strength, until none is left or the component falls apart.
 * Edges that gave way in vain, since stronger ones had to as well, are put back
 * where they close no cycle any more.
 */
#include <stdlib.h>

#include "engine/order/order_int.h"

/* Of parallel edges the strongest counts. */
uint32_t order_edge(struct ordering *o, uint32_t from, uint32_t to,
		    enum strength s, const struct traversal_ref *why,
		    const char *implied)
{
	uint32_t e = graph_edge(o->g, from, to, why, implied);

	if (e == o->strengths.len) {
		vec_push(o->a, &o->strengths, (unsigned char)s);
	} else if (s > o->strengths.items[e]) {
		o->strengths.items[e] = (unsigned char)s;
		o->g->edges.items[e].why = why;
		o->g->edges.items[e].implied = implied;
	}
	return e;
}

/* The edge itself never gives way: before any does, it becomes one from each
 * member if it is in a cycle. */
void order_group_edge(struct ordering *o, uint32_t join,
		      const struct operation *op, const struct node_group *g,
		      enum strength base, const char *implied)
{
	struct group_edge e = { .group = g, .op = op, .base = base };

	e.edge = order_edge(o, join, op->node, EDGE_HARD, NULL, implied);
	vec_push(o->a, &o->group_edges, e);
}

static bool is_cyclic(const struct graph *g)
{
	uint32_t *order = xcalloc(g->nodes.len + 1, sizeof(*order));
	bool cyclic = graph_order(g, order) < g->nodes.len;

	free(order);
	return cyclic;
}

static bool in_cycle(const struct ordering *o, uint32_t edge,
		     const uint32_t *components)
{
	const struct graph_edge *e = &o->g->edges.items[edge];

	return components[e->from] == components[e->to];
}

static void expand(struct ordering *o, const struct group_edge *e)
{
	for (size_t i = 0; i < e->group->len; i++) {
		const struct operation *m = e->group->items[i];

		order_edge(o, m->node, e->op->node,
			   order_strength(o, m, e->op, e->base), NULL,
			   o->g->edges.items[e->edge].implied);
	}
}

/* Members of a group that are in no cycle do not give way: each gets an edge of
 * its own, with its own strength. */
static void expand_groups(struct ordering *o)
{
	const uint32_t *components = graph_components(&o->scratch, o->g);
	unsigned char *out =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->edges.len + 1);

	for (size_t i = 0; i < o->group_edges.len; i++) {
		uint32_t edge = o->group_edges.items[i].edge;

		out[edge] = in_cycle(o, edge, components);
	}
	graph_drop(o->g, out);
	for (size_t i = 0; i < o->group_edges.len; i++)
		if (out[o->group_edges.items[i].edge])
			expand(o, &o->group_edges.items[i]);
	arena_reset(&o->scratch);
}

/* The edges of strength s that are in a cycle give way.  An object goes late or
 * does not: if one of its late edges gives way, all of them do. */
static void drop(struct ordering *o, enum strength s)
{
	const struct graph_edge *edges = o->g->edges.items;
	const uint32_t *components = graph_components(&o->scratch, o->g);
	unsigned char *out =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->edges.len + 1);
	unsigned char *early =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->nodes.len + 1);

	for (uint32_t i = 0; i < o->strengths.len; i++) {
		if (o->strengths.items[i] != s || o->given_way[i] ||
		    !in_cycle(o, i, components))
			continue;
		out[i] = 1;
		early[edges[i].from] = s == EDGE_LATE;
	}
	for (uint32_t i = 0; i < o->strengths.len; i++) {
		out[i] |= o->strengths.items[i] == s && !o->given_way[i] &&
			  early[edges[i].from];
		o->given_way[i] |= out[i];
	}
	graph_drop(o->g, out);
	arena_reset(&o->scratch);
}

static void restore(struct ordering *o, enum strength s)
{
	for (uint32_t i = 0; i < o->strengths.len; i++) {
		if (o->strengths.items[i] != s || !o->given_way[i])
			continue;
		graph_restore(o->g, i);
		o->given_way[i] = 0;
	}
}

void order_give_way(struct ordering *o)
{
	enum strength s = 0;

	if (!is_cyclic(o->g))
		return;
	expand_groups(o);
	o->given_way = ARENA_ARRAY(o->a, unsigned char, o->strengths.len);
	for (; s < EDGE_HARD && is_cyclic(o->g); s++)
		drop(o, s);
	while (s-- > 1) {
		restore(o, s - 1);
		drop(o, s - 1);
	}
}
