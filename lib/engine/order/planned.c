/*
 * planned.c - the nodes of the planned changes in the apply graph
 */
#include "addr/provider.h"
#include "config/module.h"
#include "engine/order/order_int.h"

/* The nodes of the instances with that key, without keys of modules. */
static struct node_list *nodes_at(struct ordering *o, struct str address,
				  struct inst_key key)
{
	struct buf text = BUF_INIT;
	struct map_entry *found;

	buf_str(&text, address);
	inst_key_print(&text, key);
	found = order_entry(o, &o->instance_nodes, &text);
	if (!found->value)
		found->value = ARENA_NEW(o->a, struct node_list);
	return found->value;
}

const struct node_list *order_keyed_nodes(struct ordering *o,
					  struct str address,
					  struct inst_key literal)
{
	const struct node_list *found = nodes_at(o, address, literal);

	if (!found->len)
		found = nodes_at(o, address, inst_key_other(o->a, literal));
	return found;
}

static void connect_provider(struct ordering *o, uint32_t node,
			     const struct change *c)
{
	struct provider_config_addr addr = c->provider;
	uint32_t p;

	addr.key = KEY_ABSENT;
	p = graph_find(o->g, provider_config_text(&o->scratch, &addr));
	if (p != GRAPH_NONE) {
		order_after(o, node, p, "provider");
		apply_node(o->ag, node)->provider =
			apply_node(o->ag, p)->provider;
		if (c->action != ACTION_NOOP)
			apply_node(o->ag, p)->needed = true;
	}
	arena_reset(&o->scratch);
}

/* --- a node for each of what a change does --- */

/* What is done for an action. */
static const struct work {
	unsigned makes; /* the groups of what makes the new object */
	bool destroys, forgets;
} works[] = {
	[ACTION_CREATE] = { .makes = IN(CREATORS) | IN(NEW) },
	[ACTION_READ] = { .makes = IN(CREATORS) },
	[ACTION_UPDATE] = { .makes = IN(CREATORS) | IN(KEPT) },
	[ACTION_DELETE_CREATE] = { IN(CREATORS) | IN(REMADE),
				   .destroys = true },
	[ACTION_CREATE_DELETE] = { IN(CREATORS) | IN(KEPT), .destroys = true },
	[ACTION_FORGET_CREATE] = { IN(CREATORS) | IN(KEPT), .forgets = true },
	[ACTION_DELETE] = { .destroys = true },
	[ACTION_FORGET] = { .forgets = true },
	[ACTION_OPEN] = { .makes = IN(CREATORS) },
};

struct planned {
	struct change *change;
	struct work work;
	struct str text; /* the address */
	const struct cfg_resource *config;
	const struct state_instance *prior, *current; /* NULL: none */
	struct str deposed; /* the key of the old object */
};

static uint32_t add_node(struct ordering *o, const struct planned *p,
			 enum node_kind kind, enum apply_kind what,
			 struct str name)
{
	struct cfg_module *module = p->config ? p->config->module : NULL;
	uint32_t node = order_node(o, kind, name, module, p->change);
	struct apply_node *an = apply_node(o->ag, node);

	an->kind = what;
	an->change = p->change;
	an->config = p->config;
	return node;
}

static uint32_t add_creator(struct ordering *o, const struct planned *p)
{
	const struct change *c = p->change;
	bool data = c->addr.resource.mode == MODE_DATA;
	uint32_t resource = plan_graph_resource(o->ag->pg, p->config);
	uint32_t node = add_node(o, p, data ? NODE_DATA : NODE_RESOURCE,
				 APPLY_CHANGE, p->text);

	if (c->addr.key.kind != KEY_NONE) {
		struct node_list *at =
			nodes_at(o, o->plan->nodes.items[resource].address,
				 c->addr.key);

		vec_push(o->a, at, node);
	}
	connect_provider(o, node, c);
	order_after(o, node, o->ends[resource].in, NULL);
	order_after(o, o->ends[resource].out, node, NULL);
	apply_node(o->ag, node)->cbd =
		c->action == ACTION_CREATE_DELETE ||
		p->config->lifecycle->create_before_destroy_value;
	if (p->work.makes)
		order_operation(o, node, c, p->work.makes, false, p->prior);
	return node;
}

/* Adds "a (destroy)" or "a (forget)".  What is destroyed goes late by its own
 * account when the new object is there, or if its state says so. */
static uint32_t add_old(struct ordering *o, const struct planned *p)
{
	const struct change *c = p->change;
	bool forgets = p->work.forgets;
	enum apply_kind what = forgets        ? APPLY_FORGET
			       : p->deposed.n ? APPLY_DESTROY_DEPOSED
					      : APPLY_DESTROY;
	struct str name = STR_CAT(o->a, p->text,
				  forgets ? STR(" (forget") : STR(" (destroy"),
				  str_c(p->deposed.n ? " deposed " : ""),
				  p->deposed, STR(")"));
	uint32_t node = add_node(o, p, NODE_DESTROY, what, name);
	struct operation *op;

	apply_node(o->ag, node)->deposed = p->deposed;
	/* When all goes, a provider may need what is forgotten, and what
	 * depends on it goes before. */
	if (forgets && !o->o->destroy)
		return node;
	if (forgets || c->addr.resource.mode == MODE_MANAGED)
		connect_provider(o, node, c);
	op = order_operation(o, node, c, IN(DESTROYERS),
			     !forgets && (p->deposed.n ||
					  p->prior->create_before_destroy),
			     p->prior);
	if (p->current != p->prior)
		op->current = p->current;
	/* OpenTofu works out what its configuration refers to, and configures
	 * its provider, for which the rest is to be there then: so what it
	 * depended on goes after it */
	if (forgets && p->config)
		order_after(
			o, node,
			o->ends[plan_graph_resource(o->ag->pg, p->config)].in,
			NULL);
	return node;
}

/* Creating before destroying: the old object is deposed under a key that both
 * nodes know. The old object goes last, so its node depends on the new one. */
static void connect_pair(struct ordering *o, const struct planned *p,
			 uint32_t made, uint32_t old)
{
	if (p->change->action == ACTION_CREATE_DELETE) {
		apply_node(o->ag, made)->deposed = p->deposed;
		order_after(o, old, made, "create_before_destroy");
	} else {
		order_after(o, made, old,
			    p->work.forgets ? "forget" : "replace");
	}
}

/* Conditions must hold in the end as well, where nothing is done.  A deposed
 * object that is gone already has none. */
static bool looks_at_conditions(const struct change *c,
				const struct cfg_resource *config)
{
	return c->action == ACTION_NOOP && config && !c->deposed.n &&
	       (config->lifecycle->preconditions.len ||
		config->lifecycle->postconditions.len);
}

static int check(struct ordering *o, const struct planned *p)
{
	bool makes = p->work.makes;
	const char *why = NULL;

	if (p->change->deposed.n && makes)
		why = "a deposed object can only be destroyed or forgotten";
	else if (makes && !p->config)
		why = "it is not in the configuration";
	else if ((p->work.destroys || p->change->action == ACTION_UPDATE) &&
		 !p->prior)
		why = "it is not in the state";
	if (!why)
		return 0;
	return diag_error(o->ds, NULL, "Invalid planned change",
			  "The plan's change of %.*s cannot be applied: %s.",
			  STR_ARG(p->text), why);
}

int order_change(struct ordering *o, struct change *c)
{
	struct state_resource *sr =
		state_resource(o->state, c->addr.module, &c->addr.resource);
	struct planned p = {
		.change = c,
		.work = works[c->action],
		.text = instance_addr_text(o->a, &c->addr),
		.config = config_resource_at(o->config, c->addr.module,
					     &c->addr.resource),
		.deposed = c->deposed,
	};
	uint32_t made = GRAPH_NONE, old = GRAPH_NONE;

	if (sr) {
		p.prior = state_deposed(sr, c->addr.key, c->deposed);
		p.current = state_instance(sr, c->addr.key);
	}
	if (check(o, &p))
		return -1;
	if (c->action == ACTION_CREATE_DELETE)
		p.deposed = state_deposed_key(o->a, sr);
	if (p.work.makes || looks_at_conditions(c, p.config))
		made = add_creator(o, &p);
	if (p.work.destroys || p.work.forgets)
		old = add_old(o, &p);
	if (made != GRAPH_NONE && old != GRAPH_NONE)
		connect_pair(o, &p, made, old);
	return 0;
}
