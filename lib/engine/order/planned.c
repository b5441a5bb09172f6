/*
 * planned.c - the nodes of the planned changes in the apply graph
 */
#include "addr/provider.h"
#include "config/module.h"
#include "engine/order/order_int.h"

/* The nodes of the instances with that key, without keys of modules.  make: the
 * list, if there is none yet; otherwise NULL then. */
static struct node_list *nodes_at(struct ordering *o, struct str address,
				  struct inst_key key, bool make)
{
	struct buf text = BUF_INIT;
	struct node_list *found;

	buf_str(&text, address);
	inst_key_print(&text, key);
	found = map_get(&o->instance_nodes, buf_view(&text));
	if (!found && make) {
		found = ARENA_NEW(o->a, struct node_list);
		map_put(o->a, &o->instance_nodes, buf_dup(o->a, &text), found);
	}
	buf_release(&text);
	return found;
}

const struct node_list *order_keyed_nodes(struct ordering *o,
					  struct str address,
					  struct inst_key literal)
{
	const struct node_list *found = nodes_at(o, address, literal, false);
	struct arena scratch = ARENA_INIT;

	if (!found)
		found = nodes_at(o, address, inst_key_other(&scratch, literal),
				 false);
	arena_release(&scratch);
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

struct planned {
	struct change *change;
	struct str text; /* the address */
	const struct cfg_resource *config;
	const struct state_instance *prior, *current; /* NULL: none */
	struct str deposed; /* the key of the object that is destroyed */
};

static struct dependencies dependencies_of(const struct state_instance *si)
{
	return si ? (struct dependencies){ si->dependencies, si->ndependencies }
		  : (struct dependencies){ NULL, 0 };
}

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

static bool keeps_first(const struct planned *p)
{
	return p->change->action == ACTION_CREATE_DELETE ||
	       p->config->lifecycle->create_before_destroy_value;
}

static uint32_t add_creator(struct ordering *o, const struct planned *p)
{
	const struct change *c = p->change;
	bool data = c->addr.resource.mode == MODE_DATA;
	uint32_t node = add_node(o, p, data ? NODE_DATA : NODE_RESOURCE,
				 APPLY_CHANGE, p->text);
	uint32_t resource = plan_graph_resource(o->ag->pg, p->config);
	struct operation *op;

	if (c->addr.key.kind != KEY_NONE) {
		struct node_list *same =
			nodes_at(o, o->ag->pg->g->nodes.items[resource].address,
				 c->addr.key, true);

		vec_push(o->a, same, node);
	}
	connect_provider(o, node, c);
	order_after(o, node, o->ends[resource].in, NULL);
	order_after(o, o->ends[resource].out, node, NULL);
	apply_node(o->ag, node)->cbd = keeps_first(p);
	op = order_operation(o, node, c, false, keeps_first(p));
	if (c->action != ACTION_NOOP)
		op->old = dependencies_of(p->prior);
	return node;
}

/* What is done to an old object, "a (destroy)". */
static uint32_t old_object(struct ordering *o, const struct planned *p,
			   enum apply_kind what, const char *word,
			   struct str deposed)
{
	struct str name =
		STR_CAT(o->a, p->text, STR(" ("), str_c(word),
			str_c(deposed.n ? " deposed " : ""), deposed, STR(")"));
	uint32_t node = add_node(o, p, NODE_DESTROY, what, name);

	apply_node(o->ag, node)->deposed = deposed;
	return node;
}

/* It goes late by its own account when the new one is there, or if its state
 * says so. */
static uint32_t add_destroyer(struct ordering *o, const struct planned *p)
{
	const struct change *c = p->change;
	uint32_t node =
		old_object(o, p,
			   p->deposed.n ? APPLY_DESTROY_DEPOSED : APPLY_DESTROY,
			   "destroy", p->deposed);
	struct operation *op;

	if (c->addr.resource.mode == MODE_MANAGED)
		connect_provider(o, node, c);
	op = order_operation(o, node, c, true,
			     p->deposed.n || p->prior->create_before_destroy);
	op->old = dependencies_of(p->prior);
	if (p->current != p->prior)
		op->current = dependencies_of(p->current);
	return node;
}

static uint32_t add_forgetter(struct ordering *o, const struct planned *p)
{
	const struct change *c = p->change;
	uint32_t node = old_object(o, p, APPLY_FORGET, "forget", c->deposed);
	struct operation *op;

	if (!o->o->destroy)
		return node;
	/* a provider may need it, and what depends on it goes before */
	op = order_operation(o, node, c, true, false);
	/* OpenTofu works out what its configuration refers to, and configures
	 * its provider, for which the rest is to be there then: so what it
	 * depended on goes after it */
	op->old = dependencies_of(p->prior);
	connect_provider(o, node, c);
	if (p->config)
		order_after(
			o, node,
			o->ends[plan_graph_resource(o->ag->pg, p->config)].in,
			NULL);
	return node;
}

/* Creating before destroying: the old object is deposed under a key that both
 * nodes know. The old object goes last, so its node depends on the new one. */
static void connect_pair(struct ordering *o, const struct change *c,
			 uint32_t create, uint32_t destroy)
{
	if (c->action == ACTION_CREATE_DELETE) {
		apply_node(o->ag, create)->deposed =
			apply_node(o->ag, destroy)->deposed;
		order_after(o, destroy, create, "create_before_destroy");
	} else {
		order_after(o, create, destroy, "replace");
	}
}

static const struct wanted {
	bool make, destroy, forget;
} wanted[] = {
	[ACTION_CREATE] = { .make = true },
	[ACTION_READ] = { .make = true },
	[ACTION_UPDATE] = { .make = true },
	[ACTION_DELETE_CREATE] = { .make = true, .destroy = true },
	[ACTION_CREATE_DELETE] = { .make = true, .destroy = true },
	[ACTION_FORGET_CREATE] = { .make = true, .forget = true },
	[ACTION_DELETE] = { .destroy = true },
	[ACTION_FORGET] = { .forget = true },
	[ACTION_OPEN] = { .make = true },
};

/* Conditions must hold in the end as well, where nothing is done.  A deposed
 * object that is gone already has none. */
static bool looks_at_conditions(const struct change *c,
				const struct cfg_resource *config)
{
	return c->action == ACTION_NOOP && config && !c->deposed.n &&
	       (config->lifecycle->preconditions.len ||
		config->lifecycle->postconditions.len);
}

static int check(struct ordering *o, const struct planned *p, struct wanted w)
{
	const char *why = NULL;

	if (p->change->deposed.n && w.make)
		why = "a deposed object can only be destroyed or forgotten";
	else if (w.make && !p->config)
		why = "it is not in the configuration";
	else if ((w.destroy || p->change->action == ACTION_UPDATE) && !p->prior)
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
		.text = instance_addr_text(o->a, &c->addr),
		.config = config_resource_at(o->config, c->addr.module,
					     &c->addr.resource),
		.deposed = c->deposed,
	};
	struct wanted w = wanted[c->action];
	uint32_t made = GRAPH_NONE, old = GRAPH_NONE;

	if (sr) {
		p.prior = state_deposed(sr, c->addr.key, c->deposed);
		p.current = state_instance(sr, c->addr.key);
	}
	if (check(o, &p, w))
		return -1;
	if (c->action == ACTION_CREATE_DELETE)
		p.deposed = state_deposed_key(o->a, sr);
	if (w.make || looks_at_conditions(c, p.config))
		made = add_creator(o, &p);
	if (w.destroy)
		old = add_destroyer(o, &p);
	if (w.forget)
		old = add_forgetter(o, &p);
	if (made != GRAPH_NONE && w.destroy)
		connect_pair(o, c, made, old);
	else if (made != GRAPH_NONE && w.forget)
		order_after(o, made, old, "forget");
	return 0;
}
