/*
 * destroy_select.c - -target and -exclude of a destroy plan
 *
 * Instance by instance, along the dependencies that the state recorded.  These
 * name resources of the configuration, so all instances of what depends on a
 * resource are its users: each resource's users are visited once.
 */
#include <stdlib.h>

#include "graph/plan_select.h"
#include "addr/target.h"
#include "graph/graph_int.h"

struct inst_ref {
	uint32_t resource, instance;
};
struct inst_vec VEC_OF(struct inst_ref);

struct selection {
	struct arena *a;
	const struct state *s;
	unsigned char **wanted;
	struct map by_config; /* config address -> struct inst_vec of indexes */
	struct inst_vec *users; /* of each resource */
	struct inst_vec queue;
	unsigned char *visited; /* resources whose users were visited */
};

static struct instance_addr address(const struct selection *x, uint32_t r,
				    uint32_t i)
{
	const struct state_resource *sr = x->s->resources.items[r];

	return (struct instance_addr){ sr->module, sr->addr,
				       sr->instances.items[i]->key };
}

struct str state_config_address(struct arena *a, const struct state_resource *r)
{
	struct buf b = BUF_INIT;

	module_addr_print_path(&b, r->module);
	if (b.len)
		buf_putc(&b, '.');
	resource_addr_print(&b, r->addr);
	return buf_take(a, &b);
}

static void index_resources(struct selection *x)
{
	size_t n = x->s->resources.len;

	x->users = ARENA_ARRAY(x->a, struct inst_vec, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		const struct state_resource *r = x->s->resources.items[i];
		struct str addr = state_config_address(x->a, r);
		struct inst_vec *v = map_get(&x->by_config, addr);

		if (!v) {
			v = ARENA_NEW(x->a, struct inst_vec);
			map_put(x->a, &x->by_config, addr, v);
		}
		vec_push(x->a, v, (struct inst_ref){ i, 0 });
	}
}

/* Does a recorded dependency of `user` mean the resource of that name: below
 * the module calls that both share, in the same instances of these? */
static bool depends_on(const struct selection *x, uint32_t user, uint32_t dep)
{
	const struct module_addr u = x->s->resources.items[user]->module;
	const struct module_addr d = x->s->resources.items[dep]->module;

	for (size_t i = 0;
	     i < u.len && i < d.len && str_eq(u.steps[i].name, d.steps[i].name);
	     i++)
		if (!inst_key_equal(u.steps[i].key, d.steps[i].key))
			return false;
	return true;
}

static void index_users(struct selection *x)
{
	for (uint32_t r = 0; r < x->s->resources.len; r++) {
		const struct state_resource *sr = x->s->resources.items[r];

		for (uint32_t i = 0; i < sr->instances.len; i++) {
			const struct state_instance *si =
				sr->instances.items[i];

			if (si->deposed.n)
				continue;
			for (size_t d = 0; d < si->ndependencies; d++) {
				struct inst_vec *v =
					map_get(&x->by_config,
						si->dependencies[d]);

				for (size_t k = 0; v && k < v->len; k++) {
					uint32_t to = v->items[k].resource;

					if (depends_on(x, r, to))
						vec_push(x->a, &x->users[to],
							 (struct inst_ref){
								 r, i });
				}
			}
		}
	}
}

static bool in_targets(const struct target *ts, size_t nts,
		       const struct instance_addr *i)
{
	for (size_t k = 0; k < nts; k++)
		if (target_contains(&ts[k], i))
			return true;
	return false;
}

static void want(struct selection *x, uint32_t r, uint32_t i)
{
	if (x->wanted[r][i])
		return;
	x->wanted[r][i] = 1;
	if (!x->s->resources.items[r]->instances.items[i]->deposed.n)
		vec_push(x->a, &x->queue, (struct inst_ref){ r, i });
}

static void each(struct selection *x, const struct target *ts, size_t nts,
		 void (*fn)(struct selection *, uint32_t, uint32_t))
{
	for (uint32_t r = 0; r < x->s->resources.len; r++)
		for (uint32_t i = 0;
		     i < x->s->resources.items[r]->instances.len; i++) {
			struct instance_addr addr = address(x, r, i);

			if (in_targets(ts, nts, &addr))
				fn(x, r, i);
		}
}

static void select_with_users(struct selection *x)
{
	while (x->queue.len) {
		uint32_t r = x->queue.items[--x->queue.len].resource;

		if (x->visited[r])
			continue;
		x->visited[r] = 1;
		for (size_t k = 0; k < x->users[r].len; k++)
			want(x, x->users[r].items[k].resource,
			     x->users[r].items[k].instance);
	}
}

static void drop(struct selection *x, uint32_t r, uint32_t i)
{
	if (!x->wanted[r][i])
		return;
	x->wanted[r][i] = 0;
	if (!x->s->resources.items[r]->instances.items[i]->deposed.n)
		vec_push(x->a, &x->queue, (struct inst_ref){ r, i });
}

/* Keeps the objects that kept objects depend on. */
static void drop_dependencies(struct selection *x)
{
	while (x->queue.len) {
		struct inst_ref at = x->queue.items[--x->queue.len];
		const struct state_instance *si =
			x->s->resources.items[at.resource]
				->instances.items[at.instance];

		for (size_t d = 0; d < si->ndependencies; d++) {
			struct inst_vec *v =
				map_get(&x->by_config, si->dependencies[d]);

			for (size_t k = 0; v && k < v->len; k++) {
				uint32_t to = v->items[k].resource;

				if (x->visited[to] ||
				    !depends_on(x, at.resource, to))
					continue;
				x->visited[to] = 1;
				for (uint32_t i = 0;
				     i <
				     x->s->resources.items[to]->instances.len;
				     i++)
					if (!x->s->resources.items[to]
						     ->instances.items[i]
						     ->deposed.n)
						drop(x, to, i);
			}
		}
	}
}

void destroy_select(struct arena *a, const struct state *s,
		    const struct target_set *only,
		    struct destroy_selection *out)
{
	struct selection x = { .a = a, .s = s };
	size_t n = s->resources.len;

	x.wanted = ARENA_ARRAY(a, unsigned char *, n + 1);
	x.visited = ARENA_ARRAY(a, unsigned char, n + 1);
	out->wanted = x.wanted;
	for (size_t r = 0; r < n; r++) {
		size_t len = s->resources.items[r]->instances.len;

		x.wanted[r] = ARENA_ARRAY(a, unsigned char, len + 1);
		memset(x.wanted[r], only->targets.len ? 0 : 1, len);
	}
	if (!target_set_narrows(only))
		return;
	index_resources(&x);
	index_users(&x);
	if (only->targets.len) {
		each(&x, only->targets.items, only->targets.len, want);
		select_with_users(&x);
	}
	if (only->excludes.len) {
		memset(x.visited, 0, n);
		each(&x, only->excludes.items, only->excludes.len, drop);
		drop_dependencies(&x);
	}
}

void plan_graph_select_destroy(struct plan_graph *pg,
			       const struct destroy_selection *d)
{
	struct graph *g = pg->g;
	unsigned char *set = xcalloc(g->nodes.len + 1, 1);

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];
		const struct state_resource *r = n->object;
		uint32_t at = plan_node(pg, i)->state_index;

		if (!node_is_from_state(n))
			continue;
		for (size_t k = 0; k < r->instances.len; k++)
			if (d->wanted[at][k] &&
			    !r->instances.items[k]->deposed.n ==
				    (n->kind != NODE_DEPOSED))
				set[i] = 1;
	}
	graph_reach(g, set, false);
	for (size_t i = 0; i < g->nodes.len; i++)
		g->nodes.items[i].selected = set[i];
	free(set);
}
