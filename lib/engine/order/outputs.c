/*
 * outputs.c - which outputs are brought up to date under -target and
 * -exclude
 */
#include "engine/order/apply_graph_int.h"

struct output_search {
	struct agb *b;
	const struct graph *pg;
	const unsigned char *worked; /* has changes, or is needed for some */
	uint32_t *stack, *stamps;
	uint32_t stamp;
	size_t found;
	bool other; /* depends on what is left out */
};

/* A resource that the output names itself does not count unless something is
 * done to it; one behind a local value or a module does. */
static void meet(struct output_search *s, uint32_t to, bool direct, size_t *n)
{
	if (s->stamps[to] == s->stamp)
		return;
	s->stamps[to] = s->stamp;
	if (!agb_is_resource(&s->pg->nodes.items[to]))
		s->stack[(*n)++] = to;
	else if (s->worked[to])
		s->found++;
	else if (!direct)
		s->other = true;
}

static bool output_kept(struct output_search *s, uint32_t output)
{
	size_t n = 0;

	s->stamp++;
	s->found = 0;
	s->other = false;
	s->stack[n++] = output;
	while (n) {
		uint32_t v = s->stack[--n];

		for (uint32_t e = s->pg->nodes.items[v].first; e != GRAPH_NONE;
		     e = s->pg->edges.items[e].next)
			meet(s, s->pg->edges.items[e].to, v == output, &n);
	}
	return s->found && !s->other;
}

void agb_select_outputs(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;
	struct arena *a = &b->scratch;
	unsigned char *set = ARENA_ARRAY(a, unsigned char, b->g->nodes.len + 1);
	unsigned char *worked = ARENA_ARRAY(a, unsigned char,
					    pg->nodes.len + 1);
	struct output_search s = { .b = b, .pg = pg, .worked = worked };

	for (size_t i = 0; i < b->g->nodes.len; i++)
		set[i] = ((struct apply_node *)b->g->nodes.items[i].data)
				 ->kind == APPLY_CHANGE;
	graph_reach(b->g, set, false);
	for (size_t i = 0; i < pg->nodes.len; i++)
		worked[i] = agb_is_resource(&pg->nodes.items[i]) &&
			    set[b->ends[i].in];
	s.stack = ARENA_ARRAY(a, uint32_t, pg->nodes.len + 1);
	s.stamps = ARENA_ARRAY(a, uint32_t, pg->nodes.len + 1);
	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];

		if (n->kind != NODE_OUTPUT || n->module->parent)
			continue;
		((struct apply_node *)b->g->nodes.items[b->ends[i].in].data)
			->kind = !b->o->destroy && output_kept(&s, i)
					 ? APPLY_OUTPUT : APPLY_NOTHING;
	}
	arena_reset(a);
}
