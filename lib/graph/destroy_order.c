/*
 * destroy_order.c - the order in which a destroy plan visits objects
 *
 * An object's destruction is planned after that of all objects that depend on
 * it in the state, so that an object which must not be destroyed keeps its
 * dependencies out of the plan.  Resources of one static module depend on each
 * other only within one instance of it.  If all instances of one module depend
 * on all of another their edges go through a join, so that their number stays
 * linear.
 *
 * Records of a state may contradict each other (b on a, and an older instance
 * of a on b): edges of cycles are left out.
 */
#include <stdlib.h>

#include "graph/graph_int.h"

struct pair {
	uint32_t from, to;
};

struct place { /* a resource of the configuration, as the state has it */
	VEC(uint32_t) nodes; /* one for each instance of its module */
	uint32_t join;       /* behind the users in other modules */
};

struct order {
	struct plan_graph *pg;
	struct arena scratch;
	struct map places;  /* config address -> struct place * */
	uint32_t *of_state; /* the node by the resource's place in the state */
	VEC(struct pair) pairs;
};

static const struct state_resource *resource(const struct order *o,
					     uint32_t node)
{
	return o->pg->g->nodes.items[node].object;
}

/* *path: how much of it is the module's path. */
static struct str config_address(struct order *o, uint32_t node, size_t *path)
{
	const struct state_resource *r = resource(o, node);
	struct buf b = BUF_INIT;
	struct str s;

	module_addr_print_path(&b, r->module);
	*path = b.len;
	if (b.len)
		buf_putc(&b, '.');
	resource_addr_print(&b, r->addr);
	s = buf_dup(&o->scratch, &b);
	buf_release(&b);
	return s;
}

static void index_places(struct order *o)
{
	size_t n = o->pg->state ? o->pg->state->resources.len : 0;

	o->of_state = ARENA_ARRAY(&o->scratch, uint32_t, n + 1);
	memset(o->of_state, 0xff, (n + 1) * sizeof(*o->of_state));
	for (uint32_t i = 0; i < o->pg->g->nodes.len; i++) {
		struct place *p;
		struct str addr;
		size_t path;

		if (o->pg->g->nodes.items[i].kind != NODE_DESTROY)
			continue;
		o->of_state[plan_node(o->pg, i)->state_index] = i;
		addr = config_address(o, i, &path);
		p = map_get(&o->places, addr);
		if (!p) {
			p = ARENA_NEW(&o->scratch, struct place);
			p->join = GRAPH_NONE;
			map_put(&o->scratch, &o->places, addr, p);
		}
		vec_push(&o->scratch, &p->nodes, i);
	}
}

static void pair(struct order *o, uint32_t from, uint32_t to)
{
	vec_push(&o->scratch, &o->pairs, ((struct pair){ from, to }));
}

/* Puts all of p after user, which is in another static module. */
static void after_foreign(struct order *o, struct place *p, struct str address,
			  uint32_t user)
{
	struct plan_graph *pg = o->pg;

	if (p->nodes.len == 1) {
		pair(o, p->nodes.items[0], user);
		return;
	}
	if (p->join == GRAPH_NONE) {
		p->join = graph_add(pg->g, NODE_JOIN,
				    str_printf(pg->g->arena,
					       "%.*s (destroy, users)",
					       STR_ARG(address)),
				    NULL, NULL);
		pg->g->nodes.items[p->join].data =
			ARENA_NEW(pg->g->arena, struct plan_node);
		for (size_t i = 0; i < p->nodes.len; i++)
			pair(o, p->nodes.items[i], p->join);
	}
	pair(o, p->join, user);
}

/* Puts the resources that `user` depends on as `address` after it. */
static void after(struct order *o, uint32_t user, struct str path,
		  struct str address)
{
	struct place *p = map_get(&o->places, address);
	const struct state_resource *r;
	size_t len;

	if (!p)
		return;
	config_address(o, p->nodes.items[0], &len);
	if (len != path.n || memcmp(address.p, path.p, len) != 0) {
		after_foreign(o, p, address, user);
		return;
	}
	r = state_resource(o->pg->state, resource(o, user)->module,
			   &resource(o, p->nodes.items[0])->addr);
	if (r && o->of_state[r->place] != GRAPH_NONE &&
	    o->of_state[r->place] != user)
		pair(o, o->of_state[r->place], user);
}

static bool same_dependencies(const struct state_instance *x,
			      const struct state_instance *y)
{
	return x->dependencies == y->dependencies &&
	       x->ndependencies == y->ndependencies;
}

static void collect(struct order *o, uint32_t user)
{
	const struct state_resource *r = resource(o, user);
	const struct state_instance *last = NULL;
	size_t len;
	struct str path = config_address(o, user, &len);

	path.n = len;
	for (size_t i = 0; i < r->instances.len; i++) {
		const struct state_instance *si = r->instances.items[i];

		if (si->deposed.n || (last && same_dependencies(last, si)))
			continue;
		last = si;
		for (size_t d = 0; d < si->ndependencies; d++)
			after(o, user, path, si->dependencies[d]);
	}
}

/* Counts in waits[] what each node waits for and repeatedly removes nodes that
 * wait for nothing: the nodes left are in a cycle or before one. */
static void settle(struct order *o, uint32_t *waits)
{
	size_t n = o->pg->g->nodes.len;
	uint32_t *first = xcalloc(n + 1, sizeof(*first));
	uint32_t *next = xcalloc(o->pairs.len + 1, sizeof(*next));
	uint32_t *ready = xcalloc(n + 1, sizeof(*ready));
	size_t nready = 0;

	for (size_t i = 0; i < o->pairs.len; i++) {
		const struct pair *p = &o->pairs.items[i];

		waits[p->from]++;
		next[i] = first[p->to];
		first[p->to] = (uint32_t)i + 1;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!waits[i])
			ready[nready++] = i;
	while (nready) {
		uint32_t v = ready[--nready];

		for (uint32_t e = first[v]; e; e = next[e - 1]) {
			uint32_t from = o->pairs.items[e - 1].from;

			if (--waits[from] == 0)
				ready[nready++] = from;
		}
	}
	free(first);
	free(next);
	free(ready);
}

void plan_graph_order_destroy(struct plan_graph *pg)
{
	struct order o = { .pg = pg, .scratch = ARENA_INIT };
	size_t n = pg->g->nodes.len;
	uint32_t *waits;

	index_places(&o);
	for (uint32_t i = 0; i < n; i++)
		if (pg->g->nodes.items[i].kind == NODE_DESTROY)
			collect(&o, i);
	waits = xcalloc(pg->g->nodes.len + 1, sizeof(*waits));
	settle(&o, waits);
	for (size_t i = 0; i < o.pairs.len; i++) {
		const struct pair *p = &o.pairs.items[i];

		if (!waits[p->from] || !waits[p->to])
			graph_edge(pg->g, p->from, p->to, NULL,
				   "destroy first");
	}
	free(waits);
	arena_release(&o.scratch);
}
