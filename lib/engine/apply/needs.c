/*
 * needs.c - changes that need an object whose creation was taken out of the
 * plan
 *
 * Follows the references of the configuration, down to the instance where a
 * reference names one.  needs_values.c finds dependencies that show only when
 * evaluating.
 */
#include "engine/apply/apply_int.h"
#include "config/module.h"
#include "graph/plan_graph.h"

struct addr_list VEC_OF(const struct instance_addr *);

struct need_node {                /* a node of the plan graph */
	struct addr_list missing; /* its instances that will not be there */
	struct addr_list named;   /* what it names of those of others */
	bool read;                /* is `named` complete? */
	uint32_t stamp;
};

struct need_search {
	struct apply *ap;
	const struct plan_graph *pg;
	struct arena scratch;
	struct need_node *nodes;
	struct need_node *reading; /* its references are being read */
	bool any;                  /* is anything missing? */
	uint32_t *stack, stamp;
	/* The last search: for this node in this module instance. */
	uint32_t from;
	struct module_addr module;
	const struct instance_addr *needed; /* NULL: none */
};

/* The resource's node in the plan graph; GRAPH_NONE: not in the
 * configuration. */
static uint32_t resource_node(const struct need_search *s,
			      const struct instance_addr *i)
{
	const struct cfg_resource *r =
		config_resource_at(s->ap->in->config, i->module, &i->resource);

	return r ? plan_graph_resource(s->pg, r) : GRAPH_NONE;
}

static int find_missing(struct need_search *s)
{
	const struct taken_vec *taken = &s->ap->in->edits.taken;
	const struct instance_addr *addrs;

	if (taken_addresses(s->ap->arena, taken, &addrs, s->ap->ds))
		return -1;
	for (size_t i = 0; i < taken->len; i++) {
		uint32_t node = resource_node(s, &addrs[i]);

		if (!str_is(taken->items[i].action, "create") ||
		    node == GRAPH_NONE)
			continue;
		vec_push(s->ap->arena, &s->nodes[node].missing, &addrs[i]);
		s->any = true;
	}
	return 0;
}

/* Are both in the same instance of the modules that they share, and do the
 * further modules of `to` have no keys? */
static bool meets(struct module_addr from, struct module_addr to)
{
	size_t i = 0;

	for (; i < from.len && i < to.len &&
	       str_eq(from.steps[i].name, to.steps[i].name);
	     i++)
		if (!inst_key_equal(from.steps[i].key, to.steps[i].key))
			return false;
	for (; i < to.len; i++)
		if (to.steps[i].key.kind != KEY_NONE)
			return false;
	return true;
}

static void note_named(void *data, uint32_t to, struct inst_key key,
		       const struct expr *picks,
		       const struct traversal_ref *why)
{
	struct need_search *s = data;
	const struct addr_list *missing = &s->nodes[to].missing;

	(void)picks;
	(void)why;
	for (size_t i = 0; i < missing->len; i++)
		if (inst_key_means(key, missing->items[i]->key))
			vec_push(s->ap->arena, &s->reading->named,
				 missing->items[i]);
}

/* Reads the references of a node on the first visit only. */
static void look_at(struct need_search *s, uint32_t node)
{
	struct need_node *n = &s->nodes[node];

	if (!n->read) {
		n->read = true;
		s->reading = n;
		plan_graph_resource_refs(&s->scratch, s->pg, node, note_named,
					 s);
		arena_reset(&s->scratch);
	}
	for (size_t i = 0; i < n->named.len && !s->needed; i++)
		if (meets(s->module, n->named.items[i]->module))
			s->needed = n->named.items[i];
}

static void visit(struct need_search *s, uint32_t node, size_t *depth)
{
	if (s->nodes[node].stamp == s->stamp)
		return;
	s->nodes[node].stamp = s->stamp;
	s->stack[(*depth)++] = node;
}

/* Through locals, variables, outputs and providers; the needs of a resource in
 * between are its own. */
static void search(struct need_search *s)
{
	const struct graph *g = s->pg->g;
	size_t depth = 0;

	s->stamp++;
	s->needed = NULL;
	visit(s, s->from, &depth);
	while (depth && !s->needed) {
		uint32_t node = s->stack[--depth];

		look_at(s, node);
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
	/* Plans have such instances of a resource one after another. */
	if (node != s->from || !module_addr_equal(c->addr.module, s->module)) {
		s->from = node;
		s->module = c->addr.module;
		search(s);
	}
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

static int find_needs(struct need_search *s)
{
	const struct change_vec *all = &s->ap->in->said.changes.changes;
	size_t errors = s->ap->ds->errors, n = s->pg->g->nodes.len + 1;

	s->nodes = ARENA_ARRAY(s->ap->arena, struct need_node, n);
	if (find_missing(s))
		return -1;
	if (!s->any)
		return 0;
	s->stack = ARENA_ARRAY(s->ap->arena, uint32_t, n);
	for (size_t i = 0; i < all->len; i++)
		check(s, all->items[i]);
	return s->ap->ds->errors > errors ? -1 : 0;
}

int apply_check_needs(struct apply *ap)
{
	struct need_search s = { .ap = ap,
				 .pg = ap->graph->pg,
				 .scratch = ARENA_INIT,
				 .from = GRAPH_NONE };
	int rc = ap->in->edits.taken.len ? find_needs(&s) : 0;

	arena_release(&s.scratch);
	return rc;
}
