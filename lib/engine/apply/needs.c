/*
 * needs.c - changes that need an object whose creation was taken out of the plan
 *
 * By the references of the configuration, down to the instance where a reference
 * names one.  A key that is worked out names none: who then needs what is not
 * there fails when its turn comes, before its provider is called (replan.c).
 */
#include "engine/apply/apply_int.h"

struct missing { /* an object that will not be there */
	const struct instance_addr *addr;
	uint32_t resource; /* node of the plan graph */
};

struct need_search {
	struct apply *ap;
	const struct plan_graph *pg;
	VEC(struct missing) missing;
	uint32_t *stack, *stamps; /* by node of the plan graph */
	uint32_t stamp;
	const struct change *user;
	const struct instance_addr *needed; /* NULL: none found yet */
};

/* The resource's node in the plan graph; GRAPH_NONE: not in the configuration. */
static uint32_t resource_node(const struct need_search *s,
			      const struct instance_addr *i)
{
	struct cfg_module *m = config_module(s->ap->in->config, i->module);
	const struct cfg_resource *r = m ? config_resource(m, &i->resource)
					 : NULL;

	return r ? plan_graph_resource(s->pg, r) : GRAPH_NONE;
}

static int find_missing(struct need_search *s)
{
	const struct taken_vec *taken = &s->ap->in->taken;
	const struct instance_addr *addrs;

	if (taken_addresses(s->ap->arena, taken, &addrs, s->ap->ds))
		return -1;
	for (size_t i = 0; i < taken->len; i++) {
		struct missing m = { &addrs[i], resource_node(s, &addrs[i]) };

		if (str_is(taken->items[i].action, "create") &&
		    m.resource != GRAPH_NONE)
			vec_push(s->ap->arena, &s->missing, m);
	}
	return 0;
}

/* Do both stand in one instance of the modules that they have in common, and is
 * there one instance alone of those that `to` has beyond? */
static bool meets(struct module_addr from, struct module_addr to)
{
	size_t i = 0;

	for (; i < from.len && i < to.len &&
	       str_eq(from.steps[i].name, to.steps[i].name); i++)
		if (!key_equal(from.steps[i].key, to.steps[i].key))
			return false;
	for (; i < to.len; i++)
		if (to.steps[i].key.kind != KEY_NONE)
			return false;
	return true;
}

static void look_at(void *data, uint32_t to, struct inst_key key,
		    const struct traversal_ref *why)
{
	struct need_search *s = data;

	(void)why;
	for (size_t i = 0; i < s->missing.len && !s->needed; i++) {
		const struct missing *m = &s->missing.items[i];

		if (m->resource == to && key_equal(m->addr->key, key) &&
		    meets(s->user->addr.module, m->addr->module))
			s->needed = m->addr;
	}
}

static void visit(struct need_search *s, uint32_t node, size_t *depth)
{
	if (s->stamps[node] == s->stamp)
		return;
	s->stamps[node] = s->stamp;
	s->stack[(*depth)++] = node;
}

/* Through locals, variables, outputs and providers; what a resource in between
 * needs is its own affair. */
static void search(struct need_search *s, uint32_t from)
{
	const struct graph *g = s->pg->g;
	size_t depth = 0;

	s->stamp++;
	s->needed = NULL;
	visit(s, from, &depth);
	while (depth && !s->needed) {
		uint32_t node = s->stack[--depth];

		plan_graph_resource_refs(s->ap->arena, s->pg, node, look_at, s);
		for (uint32_t e = g->nodes.items[node].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			if (!node_is_resource(&g->nodes.items[to]))
				visit(s, to, &depth);
		}
	}
}

static void check(struct need_search *s, const struct change *c)
{
	struct arena *a = s->ap->arena;
	uint32_t node;

	if (c->action == ACTION_DELETE || c->action == ACTION_FORGET ||
	    c->action == ACTION_NOOP)
		return;
	node = resource_node(s, &c->addr);
	if (node == GRAPH_NONE)
		return;
	s->user = c;
	search(s, node);
	if (s->needed)
		diag_error(s->ap->ds, NULL, "Edited plan does not fit",
			   "%.*s needs %.*s, the creation of which was taken "
			   "out of the plan. Take out the two records of "
			   "%.*s as well, or make a new plan, with -target or "
			   "-exclude if some changes are to wait.",
			   STR_ARG(instance_addr_text(a, &c->addr)),
			   STR_ARG(instance_addr_text(a, s->needed)),
			   STR_ARG(instance_addr_text(a, &c->addr)));
}

int apply_check_needs(struct apply *ap)
{
	struct need_search s = { .ap = ap, .pg = ap->graph->pg };
	const struct change_vec *all = &ap->in->changes.changes;
	size_t errors = ap->ds->errors;

	if (find_missing(&s))
		return -1;
	if (!s.missing.len)
		return 0;
	s.stack = ARENA_ARRAY(ap->arena, uint32_t, s.pg->g->nodes.len + 1);
	s.stamps = ARENA_ARRAY(ap->arena, uint32_t, s.pg->g->nodes.len + 1);
	for (size_t i = 0; i < all->len; i++)
		check(&s, all->items[i]);
	return ap->ds->errors > errors ? -1 : 0;
}
