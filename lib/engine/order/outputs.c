/*
 * outputs.c - which outputs are brought up to date, and which variables looked
 * at, under -target and -exclude, and where changes were taken out of the plan
 */
#include "config/module.h"
#include "engine/order/order_int.h"
#include "graph/plan_select.h"

struct output_search {
	struct ordering *o;
	const struct graph *pg;
	const unsigned char *worked; /* has changes, or is needed for some */
	const unsigned char *named;  /* see mark_named */
	const unsigned char *taken;  /* a change of it was taken out */
	bool selected;               /* there are targets or excludes */
	uint32_t *stack, *stamps;
	uint32_t stamp;
	size_t found;
	bool other; /* depends on what is left out, */
	bool lost;  /* or was taken out */
};

static bool root_output(const struct graph_node *n)
{
	return n->kind == NODE_OUTPUT && !n->module->parent;
}

/* Root outputs do not need the resources that they name: these count only if
 * something is done to them or something else names them. */
static bool needs(const struct graph_node *n)
{
	return !root_output(n) && n->kind != NODE_MODULE_CLOSE;
}

static void name(struct output_search *s, unsigned char *named, uint32_t node,
		 size_t *n)
{
	if (named[node])
		return;
	named[node] = 1;
	s->stack[(*n)++] = node;
}

/* Marks the nodes that are worked on or evaluated, and what they name, unless
 * they do not need it. */
static void mark_named(struct output_search *s, unsigned char *named)
{
	const struct graph *pg = s->pg;
	size_t n = 0;

	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *x = &pg->nodes.items[i];

		if (s->worked[i] || graph_node_is_result(x) ||
		    x->kind == NODE_CHECK || x->kind == NODE_PROVIDER)
			name(s, named, i, &n);
	}
	while (n) {
		const struct graph_node *x = &pg->nodes.items[s->stack[--n]];

		/* the rest of a module is named elsewhere, or not needed */
		if (x->kind == NODE_MODULE_CLOSE)
			continue;
		for (uint32_t e = x->first; e != GRAPH_NONE;
		     e = pg->edges.items[e].next) {
			uint32_t to = pg->edges.items[e].to;

			if (needs(x) || !node_is_resource(&pg->nodes.items[to]))
				name(s, named, to, &n);
		}
	}
}

static void meet(struct output_search *s, uint32_t to, size_t *n)
{
	if (s->stamps[to] == s->stamp)
		return;
	s->stamps[to] = s->stamp;
	if (!node_is_resource(&s->pg->nodes.items[to])) {
		s->stack[(*n)++] = to;
		return;
	}
	s->lost |= s->taken[to];
	if (s->worked[to] || (s->named[to] && s->pg->nodes.items[to].selected))
		s->found++;
	else if (s->named[to])
		s->other = true;
}

static void search(struct output_search *s, uint32_t output)
{
	size_t n = 0;

	s->stamp++;
	s->found = 0;
	s->other = s->lost = false;
	s->stack[n++] = output;
	while (n) {
		uint32_t v = s->stack[--n];

		for (uint32_t e = s->pg->nodes.items[v].first; e != GRAPH_NONE;
		     e = s->pg->edges.items[e].next)
			meet(s, s->pg->edges.items[e].to, &n);
	}
}

/* Marks the resources that are worked on, if there are targets or excludes. */
static void mark_worked(struct ordering *o, unsigned char *worked)
{
	const struct graph *pg = o->ag->pg->g;
	unsigned char *set =
		ARENA_ARRAY(&o->scratch, unsigned char, o->g->nodes.len + 1);

	for (size_t i = 0; i < o->g->nodes.len; i++)
		set[i] = ((struct apply_node *)o->g->nodes.items[i].data)
				 ->kind == APPLY_CHANGE;
	graph_reach(o->g, set, false);
	for (size_t i = 0; i < pg->nodes.len; i++)
		worked[i] = node_is_resource(&pg->nodes.items[i]) &&
			    set[o->ends[i].in];
}

static void mark_taken(struct ordering *o, unsigned char *taken)
{
	for (size_t i = 0; i < o->o->ntaken; i++) {
		const struct instance_addr *x = &o->o->taken[i];
		const struct cfg_resource *r =
			config_resource_at(o->config, x->module, &x->resource);

		if (r)
			taken[plan_graph_resource(o->ag->pg, r)] = 1;
	}
}

/* Planning knew whether the instances that were left out exist. */
static bool left_out(const struct output_search *s, uint32_t node)
{
	const struct graph_node *n = &s->pg->nodes.items[node];
	const struct map *planned = s->o->o->outputs;

	if (!plan_node(s->o->ag->pg, node)->partly)
		return false;
	return n->kind != NODE_OUTPUT || !planned ||
	       !map_has(planned, ((const struct cfg_output *)n->object)->name);
}

static void settle(struct output_search *s, struct apply_node *an)
{
	bool destroy = s->o->o->destroy;

	an->stays = s->lost;
	if (s->lost || (s->selected && (destroy || !s->found || s->other)))
		an->kind = APPLY_NOTHING;
	else if (s->selected)
		an->kind = APPLY_OUTPUT;
}

/* Outputs and variables of a destroy plan are not evaluated. */
static void settle_variable(struct output_search *s, struct apply_node *an)
{
	an->own = s->selected && !s->o->o->destroy && s->found && !s->other;
	/* or for nodes that need the module as a whole */
	if (an->own || (s->selected && !s->o->o->destroy && !s->other &&
			an->variable->validations.len))
		an->kind = APPLY_VARIABLE;
}

void order_select_outputs(struct ordering *o)
{
	const struct graph *pg = o->ag->pg->g;
	struct arena *a = &o->scratch;
	size_t room = pg->nodes.len + 1;
	unsigned char *worked = ARENA_ARRAY(a, unsigned char, room);
	unsigned char *named = ARENA_ARRAY(a, unsigned char, room);
	unsigned char *taken = ARENA_ARRAY(a, unsigned char, room);
	struct output_search s = { .o = o,
				   .pg = pg,
				   .worked = worked,
				   .named = named,
				   .taken = taken };

	s.selected = target_set_narrows(&o->o->only);
	s.stack = ARENA_ARRAY(a, uint32_t, room);
	s.stamps = ARENA_ARRAY(a, uint32_t, room);
	mark_taken(o, taken);
	if (s.selected) {
		mark_worked(o, worked);
		mark_named(&s, named);
	}
	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];
		struct apply_node *an;

		if (!graph_node_is_result(n))
			continue;
		search(&s, i);
		s.other |= left_out(&s, i);
		an = o->g->nodes.items[o->ends[i].in].data;
		if (root_output(n))
			settle(&s, an);
		else
			settle_variable(&s, an);
	}
	arena_reset(a);
}
