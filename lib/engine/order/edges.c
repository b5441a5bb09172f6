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
#include "engine/order/order_int.h"

static void add_member(struct ordering *o, struct family *f,
		       enum group_kind kind, uint32_t node)
{
	vec_push(o->a, &f->groups[kind].members, node);
}

static void add_creator(struct ordering *o, struct family *f, uint32_t node,
			enum action action)
{
	add_member(o, f, GROUP_CREATORS, node);
	if (action == ACTION_DELETE_CREATE)
		add_member(o, f, GROUP_REMADE, node);
	else if (action == ACTION_CREATE)
		add_member(o, f, GROUP_NEW, node);
	else if (action != ACTION_READ)
		add_member(o, f, GROUP_KEPT, node);
}

static void add_to_family(struct ordering *o, struct family *f, uint32_t node,
			  enum action action, bool destroys, bool late)
{
	if (destroys) {
		add_member(o, f, GROUP_DESTROYERS, node);
		add_member(o, f,
			   late ? GROUP_LATE_DESTROYERS
				: GROUP_EARLY_DESTROYERS,
			   node);
		return;
	}
	if (action != ACTION_NOOP)
		add_creator(o, f, node, action);
	if (!late)
		add_member(o, f, GROUP_USERS, node);
}

void order_enter(struct ordering *o, uint32_t node, const struct change *c,
		 bool destroys, bool late)
{
	const struct family_vec *all = order_families(o, &c->addr);

	for (size_t i = 0; i < all->len; i++)
		add_to_family(o, all->items[i], node, c->action, destroys,
			      late);
	all = order_previous_families(o, c);
	for (size_t i = 0; i < all->len; i++)
		add_to_family(o, all->items[i], node, c->action, destroys,
			      late);
}

static struct dependencies dependencies_of(const struct state_instance *si)
{
	return si ? (struct dependencies){ si->dependencies, si->ndependencies }
		  : (struct dependencies){ NULL, 0 };
}

static bool same_dependencies(struct dependencies x, struct dependencies y)
{
	if (x.len != y.len)
		return false;
	for (size_t i = 0; i < x.len; i++)
		if (!str_eq(x.items[i], y.items[i]))
			return false;
	return true;
}

static void add_dependent(struct ordering *o, struct dependent d,
			  struct dependencies on)
{
	d.on = on;
	if (on.len)
		vec_push(o->a, &o->dependents, d);
}

static void add_dependents(struct ordering *o, struct dependent d,
			   const struct change *c,
			   const struct state_instance *si,
			   const struct state_instance *current)
{
	struct dependencies old = dependencies_of(si);
	struct dependencies now = dependencies_of(current);

	add_dependent(o, d, old);
	d.borrowed = true;
	if (!same_dependencies(old, now))
		add_dependent(o, d, now);
	d.borrowed = false;
	d.planned = true;
	d.previous = NULL;
	if (!d.destroys && o->any_late &&
	    !same_dependencies(old, c->dependencies))
		add_dependent(o, d, c->dependencies);
}

void order_depends(struct ordering *o, struct dependent d,
		   const struct change *c, const struct state_instance *si,
		   const struct state_instance *current)
{
	const struct family_vec *all = order_families(o, &c->addr);
	struct family *whole = all->items[0];

	d.local = all->items[all->len - 1];
	d.previous = order_previous_family(o, c, d.local);
	if (!d.local->listed)
		vec_push(o->a, &whole->locals, d.local);
	d.local->listed = true;
	order_enter(o, d.node, c, d.destroys, d.late);
	if (c->action != ACTION_NOOP)
		add_dependents(o, d, c, si, current);
}

/* --- strengths --- */

static const struct change *change_of(const struct ordering *o, uint32_t node)
{
	return apply_node(o->ag, node)->change;
}

static bool same_provider(const struct ordering *o, uint32_t x, uint32_t y)
{
	const struct apply_node *xn = apply_node(o->ag, x);
	const struct apply_node *yn = apply_node(o->ag, y);

	if (xn->provider && yn->provider)
		return xn->provider == yn->provider &&
		       inst_key_equal(xn->change->provider.key,
				      yn->change->provider.key);
	return provider_config_equal(&xn->change->provider,
				     &yn->change->provider);
}

/* base: EDGE_UNNECESSARY, EDGE_MOVES or EDGE_HARD */
static enum strength strength(const struct dependent *d, enum strength base,
			      bool may_hurry, bool other_provider)
{
	if (base == EDGE_UNNECESSARY)
		return base;
	if (d->destroys)
		return other_provider ? EDGE_PROVIDERS : base;
	return may_hurry ? EDGE_LATE : base;
}

enum strength order_strength(const struct ordering *o, uint32_t m,
			     const struct dependent *d, enum strength base)
{
	return strength(d, base, o->may_hurry[m],
			d->destroys && !same_provider(o, m, d->node));
}

static void look_at_group(const struct ordering *o, struct node_group *g)
{
	const uint32_t *m = g->members.items;

	for (size_t i = 0; i < g->members.len; i++) {
		g->may_hurry |= o->may_hurry[m[i]];
		g->mixed |= i && !same_provider(o, m[i - 1], m[i]);
	}
	g->known = true;
}

/* --- dependents --- */

/* All of the group after d. */
static void order_after(struct ordering *o, struct family *f,
			enum group_kind kind, const struct dependent *d,
			enum strength base, const char *why)
{
	struct node_group *g = &f->groups[kind];
	struct weak_edge e = { .to = d->node, .implied = why };

	if (!g->members.len)
		return;
	if (!g->known)
		look_at_group(o, g);
	e.from = group_before(o, f, kind);
	e.strength =
		strength(d, base, g->may_hurry,
			 d->destroys && (g->mixed ||
					 !same_provider(o, g->members.items[0],
							d->node)));
	e.group = g;
	e.d = d;
	e.base = base;
	order_edge(o, e);
}

/* d after all of the group. */
static void order_before(struct ordering *o, const struct dependent *d,
			 struct family *f, enum group_kind kind,
			 enum strength s, const char *why)
{
	if (f->groups[kind].members.len)
		order_edge(o, (struct weak_edge){ .from = d->node,
						  .to = group_after(o, f, kind),
						  .strength = s,
						  .implied = why });
}

/* Users of an old object need not wait until it is gone (Replace Dependency).
 * What d is only going to depend on need not stay until d is made. */
static void order_maker(struct ordering *o, const struct dependent *d,
			struct family *f, enum strength base)
{
	if (!d->planned)
		order_before(o, d, f, GROUP_EARLY_DESTROYERS, EDGE_UNNECESSARY,
			     "destroy first");
	order_after(o, f, GROUP_LATE_DESTROYERS, d,
		    d->planned ? EDGE_UNNECESSARY : base,
		    "create_before_destroy");
}

/* A deposed object need not have depended on what the current one does. */
static void order_destroyer(struct ordering *o, const struct dependent *d,
			    struct family *f, enum strength base)
{
	enum strength first = d->borrowed ? EDGE_UNNECESSARY : base;

	order_after(o, f, GROUP_DESTROYERS, d, first, "destroy first");
	if (!d->late) {
		order_after(o, f, GROUP_CREATORS, d, base, "destroy first");
		return;
	}
	order_before(o, d, f, GROUP_KEPT,
		     o->may_hurry[d->node] ? EDGE_LATE : base,
		     "create_before_destroy");
	order_before(o, d, f, GROUP_NEW, EDGE_UNNECESSARY,
		     "create_before_destroy");
	order_after(o, f, GROUP_REMADE, d, first, "destroy first");
}

struct dependent_visit {
	struct ordering *o;
	const struct dependent *d;
};

static void connect_dependency(void *data, struct family *f, bool moved)
{
	struct dependent_visit *v = data;
	enum strength base = moved ? EDGE_MOVES : EDGE_HARD;

	if (f == v->d->local || f == v->d->previous)
		return;
	if (v->d->destroys)
		order_destroyer(v->o, v->d, f, base);
	else
		order_maker(v->o, v->d, f, base);
}

/* If what it depended on is made again when the old object is gone, the node
 * may have to destroy its object before that. */
static void find_remade(void *data, struct family *f, bool moved)
{
	struct dependent_visit *v = data;

	(void)moved;
	if (f->groups[GROUP_REMADE].members.len)
		v->o->may_hurry[v->d->node] = 1;
}

static bool only_goes_late(const struct ordering *o, const struct dependent *d)
{
	return d->destroys && d->late && !d->borrowed &&
	       change_of(o, d->node)->action == ACTION_DELETE;
}

static void each_dependency(struct ordering *o, const struct dependent *d,
			    order_family_fn *visit)
{
	struct dependent_visit v = { o, d };

	order_each_dependency(o, d->local, d->previous, d->on, visit, &v);
}

/* --- providers --- */

/* All that the provider's configuration is made of, data sources too, goes
 * after that is evaluated. */
static void keep_for_provider(struct ordering *o, uint32_t provider,
			      const unsigned char *made_of)
{
	const struct graph *pg = o->ag->pg->g;

	for (uint32_t k = 0; k < pg->nodes.len; k++) {
		struct family *f = NULL;

		if (made_of[k] && node_is_resource(&pg->nodes.items[k]))
			f = map_get(&o->families, pg->nodes.items[k].address);
		if (f && f->groups[GROUP_DESTROYERS].members.len)
			graph_edge(o->g, group_before(o, f, GROUP_DESTROYERS),
				   provider, NULL, "provider");
	}
}

/* Providers that are used are configured before the objects of their
 * configuration are destroyed. */
static void keep_for_providers(struct ordering *o)
{
	const struct graph *pg = o->ag->pg->g;
	unsigned char *set =
		ARENA_ARRAY(&o->scratch, unsigned char, pg->nodes.len + 1);

	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		uint32_t provider = o->ends[i].out;

		if (pg->nodes.items[i].kind != NODE_PROVIDER ||
		    !apply_node(o->ag, provider)->needed)
			continue;
		memset(set, 0, pg->nodes.len + 1);
		set[i] = 1;
		graph_reach(pg, set, false);
		keep_for_provider(o, provider, set);
	}
	arena_reset(&o->scratch);
}

/* --- references --- */

void order_reference(struct ordering *o, struct str from, struct str to)
{
	struct family *users = map_get(&o->families, from);
	struct family *gone = map_get(&o->families, to);

	if (users && gone && users != gone &&
	    gone->groups[GROUP_EARLY_DESTROYERS].members.len)
		vec_push(o->a, &o->references,
			 ((struct user_reference){ users, gone }));
}

/* Users of an old object need not wait until it is gone: all of the users give
 * way together. */
static void connect_users(struct ordering *o, const struct user_reference *r)
{
	for (size_t i = 0; i < r->users->locals.len; i++) {
		struct family *users = r->users->locals.items[i];
		struct family *gone = order_seen_from(o, users, r->gone);

		if (!gone || !users->groups[GROUP_USERS].members.len ||
		    !gone->groups[GROUP_EARLY_DESTROYERS].members.len)
			continue;
		order_edge(o,
			   (struct weak_edge){
				   .from = group_before(o, users, GROUP_USERS),
				   .to = group_after(o, gone,
						     GROUP_EARLY_DESTROYERS),
				   .strength = EDGE_UNNECESSARY,
				   .implied = "destroy first" });
	}
}

void order_destroy_edges(struct ordering *o)
{
	const struct dependent *d = o->dependents.items;

	o->may_hurry = ARENA_ARRAY(o->a, unsigned char, o->g->nodes.len + 1);
	for (size_t i = 0; i < o->dependents.len; i++)
		if (only_goes_late(o, &d[i]))
			each_dependency(o, &d[i], find_remade);
	for (size_t i = 0; i < o->references.len; i++)
		connect_users(o, &o->references.items[i]);
	for (size_t i = 0; i < o->dependents.len; i++)
		each_dependency(o, &d[i], connect_dependency);
	if (o->o->destroy)
		keep_for_providers(o);
}
