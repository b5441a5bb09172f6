/*
 * weak.c - edges that give way where they close a cycle
 *
 * Such a cycle is no mistake of the user's: it comes of rules that cannot all
 * be kept.  All edges that may give way are taken out, and put back strength by
 * strength, the strongest first, but for those that close a cycle then.
 */
#include "engine/order/order_int.h"

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

static bool in_cycle(const struct ordering *o, uint32_t edge,
		     const uint32_t *components)
{
	const struct graph_edge *e = &o->g->edges.items[edge];

	return components[e->from] == components[e->to];
}

/* Of a group that is in a cycle not all members need be: each gets an edge of
 * its own, with its own strength. */
static void expand_groups(struct ordering *o)
{
	const uint32_t *components = graph_components(&o->scratch, o->g);

	for (size_t i = 0; i < o->group_edges.len; i++) {
		const struct group_edge *e = &o->group_edges.items[i];

		if (!in_cycle(o, e->edge, components))
			continue;
		o->strengths.items[e->edge] = EDGE_EXPANDED;
		order_members(o, e->group, e->op, e->base);
	}
	arena_reset(&o->scratch);
}

/* Puts the edges of strength s back, but for those that close a cycle then.  An
 * object goes late or does not: if one of its late edges stays out, it is
 * marked in `early` and all of them do, also those that are not necessary. */
static void put_back(struct ordering *o, enum strength s, unsigned char *out,
		     unsigned char *early)
{
	const struct graph_edge *edges = o->g->edges.items;
	const uint32_t *components;

	for (uint32_t i = 0; i < o->strengths.len; i++)
		if (o->strengths.items[i] == s)
			out[i] = early[edges[i].from];
	graph_leave_out(o->g, out);
	components = graph_components(&o->scratch, o->g);
	for (uint32_t i = 0; i < o->strengths.len; i++) {
		if (o->strengths.items[i] != s || !in_cycle(o, i, components))
			continue;
		out[i] = 1;
		early[edges[i].from] |= s == EDGE_LATE;
	}
	for (uint32_t i = 0; i < o->strengths.len; i++)
		out[i] |= o->strengths.items[i] == s && early[edges[i].from];
	arena_reset(&o->scratch);
}

void order_give_way(struct ordering *o)
{
	size_t n = o->g->nodes.len;
	unsigned char *out, *early;

	if (graph_order(o->g, ARENA_ARRAY(&o->scratch, uint32_t, n + 1)) == n)
		return;
	expand_groups(o);
	out = ARENA_ARRAY(o->a, unsigned char, o->strengths.len);
	early = ARENA_ARRAY(o->a, unsigned char, n + 1);
	for (uint32_t i = 0; i < o->strengths.len; i++)
		out[i] = o->strengths.items[i] < EDGE_HARD;
	for (enum strength s = EDGE_HARD; --s > EDGE_EXPANDED;)
		put_back(o, s, out, early);
	graph_leave_out(o->g, out);
}
