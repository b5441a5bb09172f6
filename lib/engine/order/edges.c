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

static bool has(const struct family *f, enum group_kind kind)
{
	return f->groups[kind].len > 0;
}

/* --- what is destroyed late: when all that needs it is done --- */

static bool only_goes(const struct operation *op)
{
	return op->destroys && op->change->action == ACTION_DELETE;
}

/* What goes late forces what it depended on to go late.  If some of that is
 * made again when the old object is gone, what only goes may have to go before.
 */
static void force(struct ordering *o, const struct dependency *d)
{
	const struct node_group *gone = &d->on->groups[GROUP_DESTROYERS];

	d->op->may_hurry |= only_goes(d->op) && has(d->on, GROUP_REMADE);
	for (size_t i = 0; !d->on->late && i < gone->len; i++) {
		struct operation *op = gone->items[i];

		if (!only_goes(op) || op->late)
			continue;
		op->late = true;
		vec_push(o->a, &o->late, op);
	}
	d->on->late = true;
}

/* destroying.md, Forced Create Before Destroy: what an object with
 * create_before_destroy depends on must be handled in the same manner.
 * Planning sees to that by the configuration.  Here it is the dependencies that
 * the state recorded, of which the configuration may know nothing any more: an
 * object that is destroyed late because of another may have depended on objects
 * on which the other, created again since, did not. */
static void find_late(struct ordering *o)
{
	for (size_t i = 0; i < o->late.len; i++)
		order_each_dependency(o, o->late.items[i], DEPENDED, force);
	for (size_t i = 0; i < o->operations.len; i++) {
		struct operation *op = o->operations.items[i];

		if (op->destroys)
			order_enter(o, op,
				    op->late ? IN(LATE_DESTROYERS)
					     : IN(EARLY_DESTROYERS));
	}
}

/* --- what depends on what --- */

static bool same_provider(const struct ordering *o, const struct operation *x,
			  const struct operation *y)
{
	const struct plan_provider *xp = apply_node(o->ag, x->node)->provider;
	const struct plan_provider *yp = apply_node(o->ag, y->node)->provider;

	if (xp && yp)
		return xp == yp && inst_key_equal(x->change->provider.key,
						  y->change->provider.key);
	return provider_config_equal(&x->change->provider,
				     &y->change->provider);
}

static enum strength strength(const struct ordering *o,
			      const struct operation *later,
			      const struct operation *op, enum strength base)
{
	if (base == EDGE_UNNECESSARY)
		return base;
	if (op->destroys)
		return same_provider(o, later, op) ? base : EDGE_PROVIDERS;
	return later->may_hurry ? EDGE_LATE : base;
}

/* Why something comes after what destroys an object, or makes one. */
static const char *reason(bool destroys)
{
	return destroys ? "destroy first" : "create_before_destroy";
}

void order_members(struct ordering *o, const struct node_group *g,
		   const struct operation *op, enum strength base)
{
	for (size_t i = 0; i < g->len; i++)
		order_edge(o, g->items[i]->node, op->node,
			   strength(o, g->items[i], op, base), NULL,
			   reason(op->destroys));
}

/* All of the group after op. */
static void let_wait(struct ordering *o, const struct dependency *d,
		     enum group_kind kind, enum strength base)
{
	struct group_edge e = { .group = &d->on->groups[kind],
				.op = d->op,
				.base = base };

	if (e.group->len <= 1) {
		order_members(o, e.group, d->op, base);
		return;
	}
	e.edge = order_edge(o, order_group(o, d->on, kind, BEFORE_ALL),
			    d->op->node, EDGE_HARD, NULL,
			    reason(d->op->destroys));
	vec_push(o->a, &o->group_edges, e);
}

/* op after all of the group, which does what op does not. */
static void wait_for(struct ordering *o, const struct dependency *d,
		     enum group_kind kind, enum strength s)
{
	if (has(d->on, kind))
		order_edge(o, d->op->node,
			   order_group(o, d->on, kind, AFTER_ALL), s, NULL,
			   reason(!d->op->destroys));
}

/* Users of an old object need not wait until it is gone (Replace Dependency).
 * What op is only going to depend on need not stay until op is made. */
static void connect_maker(struct ordering *o, const struct dependency *d,
			  enum strength base)
{
	wait_for(o, d, GROUP_EARLY_DESTROYERS, EDGE_UNNECESSARY);
	let_wait(o, d, GROUP_LATE_DESTROYERS,
		 d->whose == DEPENDS_FROM_NOW ? EDGE_UNNECESSARY : base);
}

/* A deposed object need not have depended on what the current one does. */
static void connect_destroyer(struct ordering *o, const struct dependency *d,
			      enum strength base)
{
	enum strength first =
		d->whose == CURRENT_DEPENDS ? EDGE_UNNECESSARY : base;

	let_wait(o, d, GROUP_DESTROYERS, first);
	if (!d->op->late) {
		let_wait(o, d, GROUP_CREATORS, base);
		return;
	}
	wait_for(o, d, GROUP_KEPT, d->op->may_hurry ? EDGE_LATE : base);
	wait_for(o, d, GROUP_NEW, EDGE_UNNECESSARY);
	let_wait(o, d, GROUP_REMADE, first);
}

static void connect(struct ordering *o, const struct dependency *d)
{
	enum strength base = d->moved ? EDGE_MOVES : EDGE_HARD;

	if (d->on == d->op->local || d->on == d->op->before)
		return;
	if (d->op->destroys)
		connect_destroyer(o, d, base);
	else
		connect_maker(o, d, base);
}

/* A deposed object goes after whatever is done to the current one. */
static void connect_deposed(struct ordering *o, const struct operation *op)
{
	uint32_t current =
		graph_find(o->g,
			   instance_addr_text(&o->scratch, &op->change->addr));

	arena_reset(&o->scratch);
	if (current != GRAPH_NONE)
		order_after(o, op->node, current, "create_before_destroy");
}

static void connect_operation(struct ordering *o, struct operation *op)
{
	const struct change *c = op->change;

	if (c->deposed.n && c->action == ACTION_DELETE)
		connect_deposed(o, op);
	order_each_dependency(o, op, DEPENDED, connect);
	order_each_dependency(o, op, CURRENT_DEPENDS, connect);
	if (o->destroys && !op->destroys)
		order_each_dependency(o, op, DEPENDS_FROM_NOW, connect);
}

/* --- providers --- */

/* Used providers are configured before the objects of their configuration are
 * destroyed: all that it is made of, data sources too. */
static void keep_for_provider(struct ordering *o, uint32_t provider)
{
	const struct graph_node *n = o->plan->nodes.items;
	unsigned char *made_of = order_marks(o, o->plan);
	struct family *f;

	made_of[provider] = 1;
	graph_reach(o->plan, made_of, false);
	for (uint32_t i = 0; i < o->plan->nodes.len; i++) {
		if (!made_of[i] || !node_is_resource(&n[i]))
			continue;
		f = map_get(&o->families[0], n[i].address);
		if (f && has(f, GROUP_DESTROYERS))
			order_after(o,
				    order_group(o, f, GROUP_DESTROYERS,
						BEFORE_ALL),
				    o->ends[provider].out, "provider");
	}
	arena_reset(&o->scratch);
}

void order_destroy_edges(struct ordering *o)
{
	find_late(o);
	for (size_t i = 0; i < o->operations.len; i++)
		connect_operation(o, o->operations.items[i]);
	for (uint32_t i = 0; o->o->destroy && i < o->plan->nodes.len; i++)
		if (o->plan->nodes.items[i].kind == NODE_PROVIDER &&
		    apply_node(o->ag, o->ends[i].out)->needed)
			keep_for_provider(o, i);
}
