/*
 * edges.c - the edges of destroying
 *
 * With A_c and A_d for creating (or updating) and destroying A, and B depending
 * on A by what the state recorded:
 *	B_c after A_d        (not if A creates before destroying: then A_d
 *	                      after B_c; so also where B depends on A by the
 *	                      configuration, and may be new)
 *	A_d after B_d
 *	A_c after B_d        (not if B creates before destroying: then B_d
 *	                      after A_c, if A_c does not wait for A_d; where A
 *	                      is new B cannot have depended on it, so that this
 *	                      is not necessary; nor where A is only read)
 * An instance's own pair of nodes is connected where it is made.  If A and B
 * are below the same calls of modules, only objects in the same instances of
 * these are meant; otherwise all.
 */
#include "addr/provider.h"
#include "engine/order/apply_graph_int.h"
#include "engine/order/edges_int.h"
#include "engine/order/family_int.h"
#include "engine/order/late_int.h"
#include "engine/order/planned_int.h"

#include <stdlib.h>

static void add_member(struct agb *b, struct gather *g, uint32_t node)
{
	vec_push(b->a, &g->members, node);
}

static void add_to_family(struct agb *b, struct family *f, uint32_t node,
			  const struct change *c, bool destroys, bool cbd)
{
	if (destroys) {
		add_member(b, &f->all_destroyers, node);
		add_member(b, cbd ? &f->destroyers_cbd : &f->destroyers, node);
		return;
	}
	if (c->action != ACTION_NOOP)
		add_member(b, &f->creators, node);
	if (c->action != ACTION_NOOP && c->action != ACTION_DELETE_CREATE &&
	    c->action != ACTION_READ &&
	    !(c->action == ACTION_CREATE && (b->yields & ORDER_USERS_YIELD)))
		add_member(b, &f->kept, node);
	if (!cbd)
		add_member(b, &f->users, node);
}

static bool same_dependencies(struct dependencies a, struct dependencies b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (!str_eq(a.items[i], b.items[i]))
			return false;
	return true;
}

static void add_dependent(struct agb *b, struct dependent d,
			  struct dependencies on)
{
	d.on = on;
	if (on.len)
		vec_push(b->a, &b->dependents, d);
}

static void add_dependents(struct agb *b, struct dependent d,
			   const struct change *c,
			   const struct state_instance *si,
			   const struct state_instance *current)
{
	struct dependencies old = dependencies_of(si);
	struct dependencies now = dependencies_of(current);
	struct dependencies new = c->dependencies;

	add_dependent(b, d, old);
	d.borrowed = true;
	if (!same_dependencies(old, now))
		add_dependent(b, d, now);
	d.borrowed = false;
	d.planned = true;
	d.was = NULL;
	if (!d.destroys && b->any_late && !same_dependencies(old, new))
		add_dependent(b, d, new);
}

void agb_enter(struct agb *b, uint32_t node, const struct change *c,
	       bool destroys, bool cbd)
{
	const struct family_vec *all = agb_families(b, &c->addr);

	for (size_t i = 0; i < all->len; i++)
		add_to_family(b, all->items[i], node, c, destroys, cbd);
	all = agb_places(b, c);
	for (size_t i = 0; i < all->len; i++)
		add_to_family(b, all->items[i], node, c, destroys, cbd);
}

void agb_depends(struct agb *b, struct dependent d, const struct change *c,
		 const struct state_instance *si,
		 const struct state_instance *current)
{
	const struct family_vec *all = agb_families(b, &c->addr);
	struct family *whole = all->items[0];
	struct family *local = all->items[all->len - 1];

	d.local = local;
	d.was = agb_local_place(b, c, local);
	if (!local->is_local)
		vec_push(b->a, &whole->locals, local);
	local->is_local = true;
	agb_enter(b, d.node, c, d.destroys, d.cbd);
	if (c->action != ACTION_NOOP)
		add_dependents(b, d, c, si, current);
}

/* All of `later` after the node. */
static void order_after(struct agb *b, struct gather *later, uint32_t node,
			const char *why)
{
	if (later->members.len)
		graph_edge(b->g, gather_before(b, later), node, NULL, why);
}

/* The node after all of `earlier`. */
static void order_before(struct agb *b, uint32_t node, struct gather *earlier,
			 const char *why)
{
	if (earlier->members.len)
		graph_edge(b->g, node, gather_after(b, earlier), NULL, why);
}

/* Would an edge between one of these and the node, as of an earlier build,
 * close a circle? */
static bool any_circular(const uint32_t *components, const struct gather *g,
			 uint32_t node)
{
	for (size_t i = 0; i < g->members.len; i++)
		if (components[g->members.items[i]] == components[node])
			return true;
	return false;
}

/* The same if edges of users give way. */
static bool circular(const struct agb *b, const struct gather *g, uint32_t node)
{
	return (b->yields & ORDER_USERS_YIELD) &&
	       any_circular(b->with_users, g, node);
}

static bool same_provider(const struct agb *b, uint32_t x, uint32_t y)
{
	const struct apply_node *xn = b->g->nodes.items[x].data;
	const struct apply_node *yn = b->g->nodes.items[y].data;

	return provider_config_equal(&xn->change->provider,
				     &yn->change->provider);
}

/* Are these edges of what was there before a move, and do such give way? */
static bool moves_yield(const struct agb *b, bool moved)
{
	return moved && (b->yields & ORDER_MOVES_YIELD);
}

/* Would such an edge close a circle? */
static bool moves_circular(const struct agb *b, const struct gather *g,
			   uint32_t node, bool moved)
{
	return moves_yield(b, moved) && any_circular(b->without_users, g, node);
}

static bool any_yield(const struct agb *b, bool moved)
{
	return (b->yields & ORDER_PROVIDERS_YIELD) || moves_yield(b, moved);
}

/* The components that show the circles in which they give way: of providers
 * those that are caused by providers alone. */
static const uint32_t *yielding(const struct agb *b, bool moved)
{
	return (b->yields & ORDER_LATE_YIELDS) && !moves_yield(b, moved)
		       ? b->without_late
		       : b->without_users;
}

/* Would the edge from the node to d close a circle, because of a move or
 * through another provider's configuration?  Such a circle is no mistake of the
 * user's, so the weakest edge gives way. */
static bool gives_way(const struct agb *b, const struct dependent *d,
		      uint32_t node, bool moved)
{
	const uint32_t *components = yielding(b, moved);

	return any_yield(b, moved) && components[node] == components[d->node] &&
	       (moves_yield(b, moved) || !same_provider(b, node, d->node));
}

static bool some_give_way(const struct agb *b, const struct dependent *d,
			  const struct gather *later, bool moved)
{
	for (size_t i = 0; any_yield(b, moved) && i < later->members.len; i++)
		if (gives_way(b, d, later->members.items[i], moved))
			return true;
	return false;
}

/* All of `later`, which may be of other providers, after d is destroyed. */
static void order_others(struct agb *b, struct gather *later,
			 const struct dependent *d, bool moved)
{
	if (!some_give_way(b, d, later, moved)) {
		order_after(b, later, d->node, "destroy first");
		return;
	}
	for (size_t i = 0; i < later->members.len; i++)
		if (!gives_way(b, d, later->members.items[i], moved))
			graph_edge(b->g, later->members.items[i], d->node, NULL,
				   "destroy first");
}

/* Creators that destroy their old object first come after d even if d need not
 * go first. */
static void order_remade(struct agb *b, const struct gather *creators,
			 const struct dependent *d, bool moved)
{
	for (size_t i = 0; any_yield(b, moved) && i < creators->members.len;
	     i++) {
		uint32_t node = creators->members.items[i];
		const struct apply_node *an = b->g->nodes.items[node].data;

		if (an->change->action == ACTION_DELETE_CREATE &&
		    !gives_way(b, d, node, moved))
			graph_edge(b->g, node, d->node, NULL, "destroy first");
	}
}

/* Orders late destruction after d is made.  If d did not depend on the object
 * so far, and is new perhaps, it need not be made before that goes, where that
 * is a circle. */
static void order_late(struct agb *b, struct gather *gone,
		       const struct dependent *d)
{
	if (!d->planned || !circular(b, gone, d->node)) {
		order_after(b, gone, d->node, "create_before_destroy");
		return;
	}
	for (size_t i = 0; i < gone->members.len; i++) {
		uint32_t node = gone->members.items[i];

		if (b->with_users[node] != b->with_users[d->node])
			graph_edge(b->g, node, d->node, NULL,
				   "create_before_destroy");
	}
}

/* Users of an old object continue when it is gone, which is not necessary
 * (Replace Dependency): the edge gives way to any other. */
static void order_maker(struct agb *b, const struct dependent *d,
			struct family *dep, bool moved)
{
	if (!d->planned && !circular(b, &dep->destroyers, d->node))
		order_before(b, d->node, &dep->destroyers, "destroy first");
	if (!moves_circular(b, &dep->destroyers_cbd, d->node, moved))
		order_late(b, &dep->destroyers_cbd, d);
}

static void order_destroyer(struct agb *b, const struct dependent *d,
			    struct family *dep, bool moved)
{
	if (!(d->borrowed && circular(b, &dep->all_destroyers, d->node)))
		order_others(b, &dep->all_destroyers, d, moved);
	if (d->cbd) {
		if (!moves_circular(b, &dep->kept, d->node, moved))
			order_before(b, d->node, &dep->kept,
				     "create_before_destroy");
		order_remade(b, &dep->creators, d, moved);
	} else if (!(d->early && circular(b, &dep->creators, d->node)))
		order_others(b, &dep->creators, d, moved);
}

/* All that the provider's configuration is made of, data sources too, goes
 * after that is evaluated. */
static void keep_for_provider(struct agb *b, uint32_t provider,
			      const unsigned char *made_of)
{
	const struct graph *pg = b->ag->pg->g;

	for (uint32_t k = 0; k < pg->nodes.len; k++) {
		struct family *f = NULL;

		if (made_of[k] && node_is_resource(&pg->nodes.items[k]))
			f = map_get(&b->families, pg->nodes.items[k].address);
		if (f && f->all_destroyers.members.len)
			graph_edge(b->g, gather_before(b, &f->all_destroyers),
				   provider, NULL, "provider");
	}
}

/* Providers that are used are configured before the objects of their
 * configuration are destroyed. */
static void keep_for_providers(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;
	unsigned char *set = xmalloc(pg->nodes.len + 1);

	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		uint32_t provider = b->ends[i].out;

		if (pg->nodes.items[i].kind != NODE_PROVIDER ||
		    !apply_node(b->ag, provider)->needed)
			continue;
		memset(set, 0, pg->nodes.len + 1);
		set[i] = 1;
		graph_reach(pg, set, false);
		keep_for_provider(b, provider, set);
	}
	free(set);
}

struct dependent_ctx {
	struct agb *b;
	const struct dependent *d;
};

static void connect_dependency(void *data, struct family *f, bool moved)
{
	struct dependent_ctx *c = data;

	if (f == c->d->local || f == c->d->was)
		return;
	if (c->d->destroys)
		order_destroyer(c->b, c->d, f, moved);
	else
		order_maker(c->b, c->d, f, moved);
}

void agb_destroy_edges(struct agb *b)
{
	for (size_t i = 0; i < b->dependents.len; i++) {
		const struct dependent *d = &b->dependents.items[i];
		struct dependent_ctx c = { b, d };

		agb_each_dependency(b, d->local, d->was, d->on,
				    connect_dependency, &c);
	}
	if (b->o->destroy)
		keep_for_providers(b);
}

/* --- references --- */

/* Notes the components that nodes of g are in. */
static void mark(struct agb *b, const struct gather *g)
{
	b->mark++;
	for (size_t i = 0; i < g->members.len; i++)
		b->marks[b->with_users[g->members.items[i]]] = b->mark;
}

static bool any_marked(const struct agb *b, const struct gather *g)
{
	for (size_t i = 0; i < g->members.len; i++)
		if (b->marks[b->with_users[g->members.items[i]]] == b->mark)
			return true;
	return false;
}

/* As order_maker, for all users. */
static void order_users(struct agb *b, struct gather *users,
			struct gather *gone)
{
	if (b->yields & ORDER_USERS_YIELD) {
		mark(b, gone);
		if (any_marked(b, users))
			return;
	}
	if (users->members.len && gone->members.len)
		order_before(b, gather_before(b, users), gone, "destroy first");
}

void agb_reference_destroyers(struct agb *b, struct str from, struct str to)
{
	struct family *users = map_get(&b->families, from);
	struct family *gone = map_get(&b->families, to);

	if (!users || !gone || !gone->destroyers.members.len || users == gone)
		return;
	for (size_t i = 0; i < users->locals.len; i++) {
		struct family *u = users->locals.items[i];
		struct family *f = agb_seen_from(b, u, gone);

		if (f)
			order_users(b, &u->users, &f->destroyers);
	}
}
