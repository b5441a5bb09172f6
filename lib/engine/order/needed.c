/*
 * needed.c - which nodes of the apply graph are there for something
 *
 * Ephemeral resources are opened, and the conditions of module outputs and
 * variables checked, only if a node that does something needs them.  Under
 * -target and -exclude, and where changes were taken out of the plan, not all
 * outputs are brought up to date, and not all variables looked at.
 */
#include "config/module.h"
#include "engine/order/order_int.h"
#include "graph/plan_select.h"

/* What an output or a variable derives from. */
enum {
	FROM_WORK = 1,     /* has changes, or is needed for some */
	FROM_LEFT_OUT = 2, /* -target or -exclude leave it out */
	FROM_TAKEN = 4,    /* a change of it was taken out of the plan */
};

static bool root_output(const struct graph_node *n)
{
	return n->kind == NODE_OUTPUT && !n->module->parent;
}

static bool narrows(const struct ordering *o)
{
	return target_set_narrows(&o->o->only);
}

/* Marks what changes need, themselves included. */
static unsigned char *mark_worked(struct ordering *o)
{
	unsigned char *set = order_marks(o, o->g);

	for (uint32_t i = 0; i < o->g->nodes.len; i++)
		set[i] = apply_node(o->ag, i)->kind == APPLY_CHANGE;
	graph_reach(o->g, set, false);
	return set;
}

/* Root outputs do not need the resources that they name: these count only if
 * something is done to them or something else names them.  The rest of a module
 * is named elsewhere, or not needed. */
static bool names(const struct graph_node *x, const struct graph_node *to)
{
	return x->kind != NODE_MODULE_CLOSE &&
	       (!root_output(x) || !node_is_resource(to));
}

/* Notes at each resource what derives from it: of those that are worked on, and
 * of those that something worked on or evaluated names, unless it does not need
 * them. */
static void look_at_resources(struct ordering *o, unsigned char *derived)
{
	const unsigned char *worked = mark_worked(o);
	unsigned char *named = order_marks(o, o->plan);

	for (uint32_t i = 0; i < o->plan->nodes.len; i++) {
		const struct graph_node *n = &o->plan->nodes.items[i];

		if (node_is_resource(n) && worked[o->ends[i].in])
			derived[i] = FROM_WORK;
		named[i] = derived[i] || graph_node_is_result(n) ||
			   n->kind == NODE_CHECK || n->kind == NODE_PROVIDER;
	}
	graph_reach_along(o->plan, named, names);
	for (uint32_t i = 0; i < o->plan->nodes.len; i++) {
		const struct graph_node *n = &o->plan->nodes.items[i];

		if (node_is_resource(n) && named[i] && !derived[i])
			derived[i] = n->selected ? FROM_WORK : FROM_LEFT_OUT;
	}
}

static void look_at_taken(struct ordering *o, unsigned char *derived)
{
	for (size_t i = 0; i < o->o->ntaken; i++) {
		const struct instance_addr *x = &o->o->taken[i];
		const struct cfg_resource *r =
			config_resource_at(o->config, x->module, &x->resource);

		if (r)
			derived[plan_graph_resource(o->ag->pg, r)] |=
				FROM_TAKEN;
	}
}

/* What each node derives from; the one that is none of a resource by all that
 * it depends on. */
static const unsigned char *derive(struct ordering *o)
{
	unsigned char *derived = order_marks(o, o->plan);
	uint32_t *order =
		ARENA_ARRAY(&o->scratch, uint32_t, o->plan->nodes.len + 1);
	size_t n = graph_order(o->plan, order);

	if (narrows(o))
		look_at_resources(o, derived);
	look_at_taken(o, derived);
	for (size_t i = 0; i < n; i++) {
		const struct graph_node *x = &o->plan->nodes.items[order[i]];

		for (uint32_t e = x->first;
		     e != GRAPH_NONE && !node_is_resource(x);
		     e = o->plan->edges.items[e].next)
			derived[order[i]] |=
				derived[o->plan->edges.items[e].to];
	}
	return derived;
}

/* Planning knew whether the instances that were left out exist. */
static bool left_out(const struct ordering *o, uint32_t node)
{
	const struct graph_node *n = &o->plan->nodes.items[node];
	const struct map *planned = o->o->outputs;

	if (!plan_node(o->ag->pg, node)->partly)
		return false;
	return n->kind != NODE_OUTPUT || !planned ||
	       !map_has(planned, ((const struct cfg_output *)n->object)->name);
}

static bool has_validations(const struct graph_node *variable)
{
	return ((const struct cfg_variable *)variable->object)->validations.len;
}

/* Outputs and variables of a destroy plan are not evaluated. */
static void settle(const struct ordering *o, const struct graph_node *n,
		   struct apply_node *an, unsigned derived)
{
	bool whole = !o->o->destroy && !(derived & FROM_LEFT_OUT);
	bool done = whole && (derived & FROM_WORK);

	if (root_output(n)) {
		an->stays = derived & FROM_TAKEN;
		an->kind = an->stays || (narrows(o) && !done) ? APPLY_NOTHING
							      : APPLY_OUTPUT;
	} else if (narrows(o)) {
		an->own = done;
		/* or for nodes that need the module as a whole */
		if (done || (whole && has_validations(n)))
			an->kind = APPLY_VARIABLE;
	}
}

void order_select_outputs(struct ordering *o)
{
	const unsigned char *derived = derive(o);

	for (uint32_t i = 0; i < o->plan->nodes.len; i++)
		if (graph_node_is_result(&o->plan->nodes.items[i]))
			settle(o, &o->plan->nodes.items[i],
			       apply_node(o->ag, o->ends[i].in),
			       derived[i] |
				       (left_out(o, i) ? FROM_LEFT_OUT : 0u));
	arena_reset(&o->scratch);
}

/* --- what is there for others --- */

/* Is the node there only for others?  With targets most variables are, and the
 * deprecation of one is reported where it is used. */
static bool serves(const struct ordering *o, const struct graph_node *n)
{
	const struct apply_node *an = n->data;

	return an->kind == APPLY_NOTHING || an->kind == APPLY_EPHEMERAL ||
	       an->kind == APPLY_PROVIDER || an->kind == APPLY_VALUE ||
	       (an->kind == APPLY_OUTPUT && n->module->parent) ||
	       (an->kind == APPLY_VARIABLE && !an->own &&
		(narrows(o) || o->o->destroy || !has_validations(n)));
}

/* A root output reads what is in the state, so it needs no expansion.  Of a
 * module that a node waits for only its outputs and the validations of its
 * variables are needed. */
static bool needs(const struct graph_node *x, const struct graph_node *to)
{
	const struct apply_node *an = to->data;

	if (x->kind == NODE_MODULE_CLOSE)
		return to->kind == NODE_OUTPUT ||
		       (an->kind == APPLY_VARIABLE && has_validations(to));
	return !root_output(x) || to->kind != NODE_JOIN;
}

/* Check blocks that -target or -exclude leaves out have their resources looked
 * at all the same, as far as these are selected themselves. */
static void keep_for_checks(struct ordering *o, unsigned char *set)
{
	size_t n = o->g->nodes.len;
	unsigned char *kept = order_marks(o, o->g);

	for (size_t i = 0; i < n; i++)
		kept[i] = set[i] || o->g->nodes.items[i].kind == NODE_CHECK;
	graph_reach_along(o->g, kept, needs);
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
	const unsigned char *set = mark_worked(o);

	for (uint32_t i = 0; i < o->g->nodes.len; i++) {
		struct apply_node *an = apply_node(o->ag, i);

		if (an->expands && !an->needed && !set[i]) {
			graph_cut(o->g, i);
			an->idle = repeats(an->expands);
		}
	}
}

void order_mark_needed(struct ordering *o)
{
	size_t n = o->g->nodes.len;
	unsigned char *set = order_marks(o, o->g);

	for (size_t i = 0; i < n; i++)
		set[i] = !serves(o, &o->g->nodes.items[i]);
	if (narrows(o) && !o->o->destroy)
		keep_for_checks(o, set);
	graph_reach_along(o->g, set, needs);
	for (uint32_t i = 0; i < n; i++) {
		struct apply_node *an = apply_node(o->ag, i);

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
