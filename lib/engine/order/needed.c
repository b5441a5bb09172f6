/*
 * needed.c - which nodes of the apply graph are there for something
 *
 * Ephemeral resources are opened, and the conditions of module outputs and
 * variables checked, only if a node that does something needs them.
 */
#include "engine/order/order_int.h"
#include "graph/plan_select.h"

/* Is the node there only for others?  With targets most variables are, and the
 * deprecation of one is reported where it is used. */
static bool serves(const struct ordering *o, const struct graph_node *n)
{
	const struct apply_node *an = n->data;

	return an->kind == APPLY_NOTHING || an->kind == APPLY_EPHEMERAL ||
	       an->kind == APPLY_PROVIDER || an->kind == APPLY_VALUE ||
	       (an->kind == APPLY_OUTPUT && n->module->parent) ||
	       (an->kind == APPLY_VARIABLE && !an->own &&
		(target_set_narrows(&o->o->only) || o->o->destroy ||
		 !an->variable->validations.len));
}

/* A root output reads what is in the state, so it needs no expansion. */
static bool needs(const struct graph_node *x, const struct graph_node *to)
{
	const struct apply_node *an = to->data;

	if (x->kind == NODE_MODULE_CLOSE)
		return to->kind == NODE_OUTPUT ||
		       (an->kind == APPLY_VARIABLE &&
			an->variable->validations.len);
	return x->kind != NODE_OUTPUT || x->module->parent ||
	       to->kind != NODE_JOIN;
}

/* Marks what the marked nodes depend on and need: of a module that a node waits
 * for only its outputs and the validations of its variables. */
static void reach_needed(const struct graph *g, unsigned char *set,
			 uint32_t *stack)
{
	size_t n = 0;

	for (uint32_t i = 0; i < g->nodes.len; i++)
		if (set[i])
			stack[n++] = i;
	while (n) {
		const struct graph_node *x = &g->nodes.items[stack[--n]];

		for (uint32_t e = x->first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			if (set[to] || !needs(x, &g->nodes.items[to]))
				continue;
			set[to] = 1;
			stack[n++] = to;
		}
	}
}

/* Check blocks that -target or -exclude leaves out have their resources looked
 * at all the same, as far as these are selected themselves. */
static void keep_for_checks(struct ordering *o, unsigned char *set,
			    uint32_t *stack)
{
	size_t n = o->g->nodes.len;
	unsigned char *kept = ARENA_ARRAY(&o->scratch, unsigned char, n + 1);

	for (size_t i = 0; i < n; i++)
		kept[i] = set[i] || o->g->nodes.items[i].kind == NODE_CHECK;
	reach_needed(o->g, kept, stack);
	for (uint32_t i = 0; i < n; i++) {
		const struct cfg_resource *r = apply_node(o->ag, i)->expands;

		if (kept[i] && r && !r->check &&
		    plan_graph_aims_at(o->ag->pg,
				       plan_graph_resource(o->ag->pg, r),
				       &o->o->only))
			set[i] = 1;
	}
}

static bool repeats(const struct cfg_resource *r)
{
	return r->count.root || r->for_each.root || r->lifecycle->enabled.root;
}

/* Root outputs and module ends do not wait for absent objects.  Changes do,
 * because they may read what the object refers to. */
static void cut_unneeded(struct ordering *o)
{
	size_t n = o->g->nodes.len;
	unsigned char *set = ARENA_ARRAY(&o->scratch, unsigned char, n + 1);

	for (uint32_t i = 0; i < n; i++)
		set[i] = apply_node(o->ag, i)->kind == APPLY_CHANGE;
	graph_reach(o->g, set, false);
	for (uint32_t i = 0; i < n; i++) {
		struct apply_node *an = o->g->nodes.items[i].data;

		if (an->expands && !an->needed && !set[i]) {
			graph_cut(o->g, i);
			an->idle = repeats(an->expands);
		}
	}
}

void order_mark_needed(struct ordering *o)
{
	size_t n = o->g->nodes.len;
	unsigned char *set = ARENA_ARRAY(&o->scratch, unsigned char, n + 1);
	uint32_t *stack = ARENA_ARRAY(&o->scratch, uint32_t, n + 1);
	bool checks = false;

	for (size_t i = 0; i < n; i++) {
		set[i] = !serves(o, &o->g->nodes.items[i]);
		checks |= o->g->nodes.items[i].kind == NODE_CHECK;
	}
	if (checks && target_set_narrows(&o->o->only) && !o->o->destroy)
		keep_for_checks(o, set, stack);
	reach_needed(o->g, set, stack);
	for (size_t i = 0; i < n; i++) {
		struct apply_node *an = o->g->nodes.items[i].data;

		if (an->kind == APPLY_EPHEMERAL || an->expands)
			an->needed = set[i];
		else if ((an->kind == APPLY_OUTPUT || an->kind == APPLY_VALUE ||
			  an->kind == APPLY_VARIABLE) &&
			 !set[i])
			an->kind = APPLY_NOTHING;
	}
	cut_unneeded(o);
	arena_reset(&o->scratch);
}
