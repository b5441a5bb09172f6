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
#include "graph/graph.h"

void order_edge(struct ordering *o, struct weak_edge e)
{
	if (e.strength == EDGE_HARD)
		graph_edge(o->g, e.from, e.to, e.why, e.implied);
	else
		vec_push(o->a, &o->weak, e);
}

static void insert(struct ordering *o, struct weak_edge *w)
{
	size_t n = o->g->edges.len;

	graph_edge(o->g, w->from, w->to, w->why, w->implied);
	w->edge = n < o->g->edges.len ? (uint32_t)n : GRAPH_NONE;
}

/* The strongest first, for of parallel edges the graph keeps the first. */
void order_add_weak(struct ordering *o)
{
	for (unsigned s = EDGE_HARD; s-- > 0;)
		for (size_t i = o->ninserted; i < o->weak.len; i++)
			if (o->weak.items[i].strength == s)
				insert(o, &o->weak.items[i]);
	o->ninserted = o->weak.len;
}

static bool is_cyclic(const struct graph *g)
{
	uint32_t *order = xcalloc(g->nodes.len + 1, sizeof(*order));
	bool cyclic = graph_order(g, order) < g->nodes.len;

	free(order);
	return cyclic;
}

/* Adds a hard edge, or makes a weak one that is there hard. */
static void harden(struct ordering *o, uint32_t from, uint32_t to,
		   const char *implied)
{
	size_t n = o->g->edges.len;

	graph_edge(o->g, from, to, NULL, implied);
	for (size_t i = 0; n == o->g->edges.len && i < o->ninserted; i++)
		if (o->weak.items[i].from == from && o->weak.items[i].to == to)
			o->weak.items[i].strength = EDGE_HARD;
}

/* Replaces the edge from a join by edges from the members, each of its own
 * strength. */
static void expand(struct ordering *o, struct weak_edge w)
{
	for (size_t i = 0; i < w.group->members.len; i++) {
		struct weak_edge e = { .from = w.group->members.items[i],
				       .to = w.to,
				       .implied = w.implied };

		e.strength = order_strength(o, e.from, w.d, w.base);
		if (e.strength == EDGE_HARD)
			harden(o, e.from, e.to, e.implied);
		else
			order_edge(o, e);
	}
}

static bool in_cycle(const struct weak_edge *w, const uint32_t *components)
{
	return w->edge != GRAPH_NONE && !w->given_way &&
	       components[w->from] == components[w->to];
}

/* Members of a group that are in no cycle do not give way. */
static void expand_groups(struct ordering *o)
{
	const uint32_t *components = graph_components(&o->scratch, o->g);
	unsigned char *out =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->edges.len + 1);
	const size_t n = o->weak.len;

	for (size_t i = 0; i < n; i++) {
		struct weak_edge *w = &o->weak.items[i];

		if (!w->group || w->group->members.len == 1 ||
		    !in_cycle(w, components))
			continue;
		out[w->edge] = 1;
	}
	graph_drop(o->g, out);
	for (size_t i = 0; i < n; i++) {
		struct weak_edge *w = &o->weak.items[i];

		if (w->edge == GRAPH_NONE || !out[w->edge])
			continue;
		w->edge = GRAPH_NONE;
		expand(o, *w);
	}
	order_add_weak(o);
	arena_reset(&o->scratch);
}

/* The node that waits, also where that is the only one of a group. */
static uint32_t waiting(const struct weak_edge *w)
{
	return w->group && w->group->members.len == 1
		       ? w->group->members.items[0]
		       : w->from;
}

/* The edges of strength s that are in a cycle give way.  An object goes late or
 * does not: if one of its late edges gives way, all of them do. */
static void drop(struct ordering *o, enum strength s)
{
	const uint32_t *components = graph_components(&o->scratch, o->g);
	unsigned char *out =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->edges.len + 1);
	unsigned char *early =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->nodes.len + 1);

	for (size_t i = 0; s == EDGE_LATE && i < o->weak.len; i++) {
		const struct weak_edge *w = &o->weak.items[i];

		if (w->strength == s && in_cycle(w, components))
			early[waiting(w)] = 1;
	}
	for (size_t i = 0; i < o->weak.len; i++) {
		struct weak_edge *w = &o->weak.items[i];

		if (w->strength != s || w->given_way || w->edge == GRAPH_NONE ||
		    !(in_cycle(w, components) || early[waiting(w)]))
			continue;
		out[w->edge] = 1;
		w->given_way = true;
	}
	graph_drop(o->g, out);
	arena_reset(&o->scratch);
}

static void restore(struct ordering *o, enum strength s)
{
	for (size_t i = 0; i < o->weak.len; i++) {
		struct weak_edge *w = &o->weak.items[i];

		if (w->strength != s || !w->given_way)
			continue;
		graph_restore(o->g, w->from, w->edge);
		w->given_way = false;
	}
}

void order_give_way(struct ordering *o)
{
	enum strength s = 0;

	if (!is_cyclic(o->g))
		return;
	expand_groups(o);
	for (; s < EDGE_HARD && is_cyclic(o->g); s++)
		drop(o, s);
	while (s-- > 1) {
		restore(o, s - 1);
		drop(o, s - 1);
	}
}
