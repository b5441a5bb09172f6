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

static void add_to_class(struct agb *b, struct dep_class like, uint32_t node,
			 const struct change *c)
{
	struct str provider = provider_config_text(&b->scratch, &c->provider);
	struct str key =
		str_printf(&b->scratch, "%.*s %p %p %d%d%d %.*s",
			   STR_ARG(like.local->address), (const void *)like.was,
			   (const void *)like.on.items, like.destroys, like.cbd,
			   like.early, STR_ARG(provider));
	struct dep_class *k = map_get(&b->classes, key);

	if (!k) {
		k = ARENA_NEW(b->a, struct dep_class);
		*k = like;
		k->provider = str_dup(b->a, provider);
		k->members.before = k->members.after = GRAPH_NONE;
		k->members.address = like.local->address;
		k->members.what =
			arena_printf(b->a, "class %zu", b->class_list.len);
		map_put(b->a, &b->classes, str_dup(b->a, key), k);
		vec_push(b->a, &b->class_list, k);
	}
	add_member(b, &k->members, node);
	arena_reset(&b->scratch);
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

static void add_to_classes(struct agb *b, struct dep_class like, uint32_t node,
			   const struct change *c,
			   const struct state_instance *si,
			   const struct state_instance *current)
{
	struct dependencies old = dependencies_of(si);
	struct dependencies now = dependencies_of(current);
	struct dependencies new = c->dependencies;

	like.on = old;
	if (old.len)
		add_to_class(b, like, node, c);
	like.on = now;
	if (now.len && !same_dependencies(old, now))
		add_to_class(b, like, node, c);
	like.on = new;
	like.planned = true;
	like.was = NULL;
	if (!like.destroys && b->any_late && !same_dependencies(old, new))
		add_to_class(b, like, node, c);
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

void agb_classify(struct agb *b, uint32_t node, const struct change *c,
		  const struct state_instance *si,
		  const struct state_instance *current, struct dep_class like)
{
	const struct family_vec *all = agb_families(b, &c->addr);
	struct family *whole = all->items[0];
	struct family *local = all->items[all->len - 1];

	like.local = local;
	like.was = agb_local_place(b, c, local);
	if (!local->is_local)
		vec_push(b->a, &whole->locals, local);
	local->is_local = true;
	agb_enter(b, node, c, like.destroys, like.cbd);
	if (c->action != ACTION_NOOP)
		add_to_classes(b, like, node, c, si, current);
}

/* All of `later` after all of `earlier`. */
static void order(struct agb *b, struct gather *later, struct gather *earlier,
		  const char *why)
{
	if (!later->members.len || !earlier->members.len)
		return;
	graph_edge(b->g, gather_before(b, later), gather_after(b, earlier),
		   NULL, why);
}

/* Notes the components, as of an earlier build, that nodes of g are in. */
static void mark(struct agb *b, const uint32_t *components,
		 const struct gather *g)
{
	b->mark++;
	for (size_t i = 0; i < g->members.len; i++)
		b->marks[components[g->members.items[i]]] = b->mark;
}

/* Is the node in a component that the last call of circular() has marked? */
static bool is_marked(const struct agb *b, uint32_t node)
{
	return b->marks[b->with_users[node]] == b->mark;
}

static bool has_provider(const struct agb *b, uint32_t node, struct str text)
{
	const struct apply_node *an = b->g->nodes.items[node].data;
	struct arena a = ARENA_INIT;
	bool same =
		str_eq(text, provider_config_text(&a, &an->change->provider));

	arena_release(&a);
	return same;
}

static bool any_marked(const struct agb *b, const uint32_t *components,
		       const struct gather *g)
{
	for (size_t i = 0; i < g->members.len; i++)
		if (b->marks[components[g->members.items[i]]] == b->mark)
			return true;
	return false;
}

/* Would an edge between these close a circle? */
static bool circular(struct agb *b, const struct gather *later,
		     const struct gather *earlier)
{
	if (!(b->yields & ORDER_USERS_YIELD))
		return false;
	mark(b, b->with_users, earlier);
	return any_marked(b, b->with_users, later);
}

/* Are these edges of what was there before a move, and do such give way? */
static bool moves_yield(const struct agb *b, bool moved)
{
	return moved && (b->yields & ORDER_MOVES_YIELD);
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

/* Would the edge from the node to k, whose components are marked, close a
 * circle, because of a move or through another provider's configuration?  Such
 * a circle is no mistake of the user's, so the weakest edge gives way. */
static bool gives_way(const struct agb *b, const struct dep_class *k,
		      uint32_t node, bool moved)
{
	return b->marks[yielding(b, moved)[node]] == b->mark &&
	       (moves_yield(b, moved) || !has_provider(b, node, k->provider));
}

static bool some_give_way(struct agb *b, const struct dep_class *k,
			  const struct gather *later, bool moved)
{
	if (!any_yield(b, moved))
		return false;
	mark(b, yielding(b, moved), &k->members);
	for (size_t i = 0; i < later->members.len; i++)
		if (gives_way(b, k, later->members.items[i], moved))
			return true;
	return false;
}

/* All of `later`, which may be of other providers, after k is destroyed. */
static void order_others(struct agb *b, struct gather *later,
			 struct dep_class *k, bool moved)
{
	if (!some_give_way(b, k, later, moved)) {
		order(b, later, &k->members, "destroy first");
		return;
	}
	for (size_t i = 0; i < later->members.len; i++)
		if (!gives_way(b, k, later->members.items[i], moved))
			graph_edge(b->g, later->members.items[i],
				   gather_after(b, &k->members), NULL,
				   "destroy first");
}

/* Creators that destroy their old object first come after k even if k need not
 * go first. */
static void order_remade(struct agb *b, const struct gather *creators,
			 struct dep_class *k, bool moved)
{
	if (!any_yield(b, moved))
		return;
	mark(b, yielding(b, moved), &k->members);
	for (size_t i = 0; i < creators->members.len; i++) {
		uint32_t node = creators->members.items[i];
		const struct apply_node *an = b->g->nodes.items[node].data;

		if (an->change->action == ACTION_DELETE_CREATE &&
		    !gives_way(b, k, node, moved))
			graph_edge(b->g, node, gather_after(b, &k->members),
				   NULL, "destroy first");
	}
}

/* Users of an old object continue when it is gone, which is not necessary
 * (Replace Dependency): the edge gives way to any other. */
static void order_users(struct agb *b, struct gather *users,
			struct gather *gone)
{
	if (!circular(b, users, gone))
		order(b, users, gone, "destroy first");
}

/* Orders late destruction after k is made.  Members of k that did not depend on
 * the object so far, new ones perhaps, need not be made before it goes, where
 * that is a circle. */
static void order_late(struct agb *b, struct gather *gone, struct dep_class *k)
{
	if (!k->planned || !circular(b, gone, &k->members)) {
		order(b, gone, &k->members, "create_before_destroy");
		return;
	}
	for (size_t i = 0; i < gone->members.len; i++)
		if (!is_marked(b, gone->members.items[i]))
			graph_edge(b->g, gone->members.items[i],
				   gather_after(b, &k->members), NULL,
				   "create_before_destroy");
}

/* Would an edge between these, because of what was there before a move, close a
 * circle? */
static bool moves_circular(struct agb *b, const struct gather *later,
			   const struct gather *earlier, bool moved)
{
	if (!moves_yield(b, moved))
		return false;
	mark(b, b->without_users, earlier);
	return any_marked(b, b->without_users, later);
}

static void connect_class(struct agb *b, struct dep_class *k,
			  struct family *dep, bool moved)
{
	struct gather *m = &k->members;

	if (!k->destroys) {
		if (!k->planned)
			order_users(b, m, &dep->destroyers);
		if (!moves_circular(b, &dep->destroyers_cbd, m, moved))
			order_late(b, &dep->destroyers_cbd, k);
		return;
	}
	order_others(b, &dep->all_destroyers, k, moved);
	if (k->cbd) {
		if (!moves_circular(b, m, &dep->kept, moved))
			order(b, m, &dep->kept, "create_before_destroy");
		order_remade(b, &dep->creators, k, moved);
	} else if (!(k->early && circular(b, &dep->creators, m)))
		order_others(b, &dep->creators, k, moved);
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

struct class_ctx {
	struct agb *b;
	struct dep_class *k;
};

static void connect_dependency(void *data, struct family *f, bool moved)
{
	struct class_ctx *c = data;

	if (f != c->k->local && f != c->k->was)
		connect_class(c->b, c->k, f, moved);
}

void agb_destroy_edges(struct agb *b)
{
	for (size_t i = 0; i < b->class_list.len; i++) {
		struct class_ctx c = { b, b->class_list.items[i] };

		agb_each_dependency(b, c.k->local, c.k->was, c.k->on,
				    connect_dependency, &c);
	}
	if (b->o->destroy)
		keep_for_providers(b);
}

/* --- references --- */

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
