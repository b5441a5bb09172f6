/*
 * planned.c - the nodes of the planned changes in the apply graph
 */
#include "addr/provider.h"
#include "config/module.h"
#include "engine/order/order_int.h"

static void note_instance(struct ordering *o, uint32_t node,
			  const struct change *c)
{
	struct buf text = BUF_INIT;
	struct map_entry *e;

	if (c->addr.key.kind == KEY_NONE)
		return;
	buf_str(&text, order_config_family(o, &c->addr)->address);
	inst_key_print(&text, c->addr.key);
	e = map_slot(o->a, &o->instance_nodes, buf_view(&text));
	if (!e->value) {
		e->key = buf_dup(o->a, &text);
		e->value = ARENA_NEW(o->a, struct node_list);
	}
	vec_push(o->a, (struct node_list *)e->value, node);
	buf_release(&text);
}

static const struct node_list *nodes_at(const struct ordering *o,
					struct str address, struct inst_key key)
{
	struct buf text = BUF_INIT;
	const struct node_list *found;

	buf_str(&text, address);
	inst_key_print(&text, key);
	found = map_get(&o->instance_nodes, buf_view(&text));
	buf_release(&text);
	return found;
}

const struct node_list *order_keyed_nodes(const struct ordering *o,
					  struct str address,
					  struct inst_key literal)
{
	const struct node_list *found = nodes_at(o, address, literal);
	struct arena scratch = ARENA_INIT;

	if (!found)
		found = nodes_at(o, address, inst_key_other(&scratch, literal));
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
		graph_edge(o->g, node, p, NULL, "provider");
		apply_node(o->ag, node)->provider =
			apply_node(o->ag, p)->provider;
		if (c->action != ACTION_NOOP)
			apply_node(o->ag, p)->needed = true;
	}
	arena_reset(&o->scratch);
}

bool order_keeps_first(const struct apply_node *an)
{
	return an->change->action == ACTION_CREATE_DELETE ||
	       (an->config &&
		an->config->lifecycle->create_before_destroy_value);
}

static uint32_t add_creator(struct ordering *o, struct change *c,
			    struct str text, const struct cfg_resource *config,
			    const struct state_instance *si)
{
	enum node_kind kind =
		c->addr.resource.mode == MODE_DATA ? NODE_DATA : NODE_RESOURCE;
	uint32_t node = order_node(o, kind, APPLY_CHANGE, text, c, config);

	note_instance(o, node, c);
	connect_provider(o, node, c);
	if (config) {
		uint32_t r = plan_graph_resource(o->ag->pg, config);

		graph_edge(o->g, node, o->ends[r].in, NULL, NULL);
		graph_edge(o->g, o->ends[r].out, node, NULL, NULL);
	}
	order_depends(o,
		      (struct dependent){
			      .node = node,
			      .late = order_keeps_first(
				      o->g->nodes.items[node].data) },
		      c, si, NULL);
	return node;
}

static uint32_t add_destroyer(struct ordering *o, struct change *c,
			      struct str text, struct str deposed,
			      const struct cfg_resource *config,
			      const struct state_instance *si,
			      const struct state_instance *current)
{
	uint32_t node;

	if (deposed.n)
		text = str_printf(o->a, "%.*s (destroy deposed %.*s)",
				  STR_ARG(text), STR_ARG(deposed));
	else
		text = STR_CAT(o->a, text, STR(" (destroy)"));
	node = order_node(o, NODE_DESTROY,
			  deposed.n ? APPLY_DESTROY_DEPOSED : APPLY_DESTROY,
			  text, c, config);
	apply_node(o->ag, node)->deposed = deposed;
	if (c->addr.resource.mode == MODE_MANAGED)
		connect_provider(o, node, c);
	order_depends(o,
		      (struct dependent){ .node = node,
					  .destroys = true,
					  .late = deposed.n ||
						  order_is_late(c, si) ||
						  order_forced_late(o, c) },
		      c, si, current);
	return node;
}

static uint32_t add_forgetter(struct ordering *o, struct change *c,
			      struct str text,
			      const struct cfg_resource *config)
{
	uint32_t node;

	if (c->deposed.n)
		text = str_printf(o->a, "%.*s (forget deposed %.*s)",
				  STR_ARG(text), STR_ARG(c->deposed));
	else
		text = str_printf(o->a, "%.*s (forget)", STR_ARG(text));
	node = order_node(o, NODE_DESTROY, APPLY_FORGET, text, c, config);
	((struct apply_node *)o->g->nodes.items[node].data)->deposed =
		c->deposed;
	if (!o->o->destroy)
		return node;
	/* a provider may need it, and what depends on it goes before */
	order_enter(o, node, c, true, false);
	/* OpenTofu works out what its configuration refers to, and configures
	 * its provider, for which the rest is to be there then */
	connect_provider(o, node, c);
	if (config)
		graph_edge(o->g, node,
			   o->ends[plan_graph_resource(o->ag->pg, config)].in,
			   NULL, NULL);
	return node;
}

struct wanted {
	bool update, destroy, forget;
};

static struct wanted wanted_nodes(const struct change *c,
				  const struct cfg_resource *config)
{
	struct wanted w = { false, false, false };

	switch (c->action) {
	/* Conditions must hold in the end as well.  A deposed object that is
	 * gone already has none. */
	case ACTION_NOOP:
		w.update = config && !c->deposed.n &&
			   (config->lifecycle->preconditions.len ||
			    config->lifecycle->postconditions.len);
		break;
	case ACTION_DELETE:
		w.destroy = true;
		break;
	case ACTION_FORGET:
		w.forget = true;
		break;
	case ACTION_FORGET_CREATE:
		w.update = w.forget = true;
		break;
	case ACTION_DELETE_CREATE:
	case ACTION_CREATE_DELETE:
		w.update = w.destroy = true;
		break;
	case ACTION_CREATE:
	case ACTION_UPDATE:
	case ACTION_READ:
	case ACTION_OPEN:
		w.update = true;
		break;
	}
	return w;
}

static int invalid_change(struct ordering *o, struct str text, const char *why)
{
	return diag_error(o->ds, NULL, "Invalid planned change",
			  "The plan's change of %.*s cannot be applied: %s.",
			  STR_ARG(text), why);
}

/* Creating before destroying: the old object is deposed under a key that both
 * nodes know. The old object goes last, so its node depends on the new one. */
static void connect_pair(struct ordering *o, struct change *c, uint32_t create,
			 uint32_t destroy)
{
	struct apply_node *cn = o->g->nodes.items[create].data;
	struct apply_node *dn = o->g->nodes.items[destroy].data;

	if (c->action == ACTION_CREATE_DELETE) {
		cn->deposed = dn->deposed;
		graph_edge(o->g, destroy, create, NULL,
			   "create_before_destroy");
	} else {
		graph_edge(o->g, create, destroy, NULL, "replace");
	}
}

static struct state_instance *prior(struct state_resource *sr,
				    const struct change *c)
{
	return sr ? state_deposed(sr, c->addr.key, c->deposed) : NULL;
}

struct state_instance *order_prior(const struct ordering *o,
				   const struct change *c)
{
	return prior(
		state_resource(o->state, c->addr.module, &c->addr.resource), c);
}

int order_change(struct ordering *o, struct change *c)
{
	struct state_resource *sr =
		state_resource(o->state, c->addr.module, &c->addr.resource);
	struct state_instance *si = prior(sr, c);
	const struct cfg_resource *config =
		config_resource_at(o->config, c->addr.module,
				   &c->addr.resource);
	struct wanted w = wanted_nodes(c, config);
	struct str text = instance_addr_text(o->a, &c->addr);
	struct str deposed = c->deposed;
	uint32_t create = GRAPH_NONE, destroy = GRAPH_NONE;

	if (c->deposed.n && w.update)
		return invalid_change(
			o, text,
			"a deposed object can only be destroyed or forgotten");
	if (w.update && !config)
		return invalid_change(o, text,
				      "it is not in the configuration");
	if ((w.destroy || c->action == ACTION_UPDATE) && !si)
		return invalid_change(o, text, "it is not in the state");
	if (c->action == ACTION_CREATE_DELETE)
		deposed = state_deposed_key(o->a, sr);
	if (w.update)
		create = add_creator(o, c, text, config, si);
	if (w.destroy)
		destroy = add_destroyer(o, c, text, deposed, config, si,
					state_instance(sr, c->addr.key));
	if (w.forget) {
		uint32_t f = add_forgetter(o, c, text, config);

		if (create != GRAPH_NONE)
			graph_edge(o->g, create, f, NULL, "forget");
	}
	if (create != GRAPH_NONE && destroy != GRAPH_NONE)
		connect_pair(o, c, create, destroy);
	return 0;
}

void order_connect_deposed(struct ordering *o)
{
	for (uint32_t i = 0; i < o->g->nodes.len; i++) {
		const struct apply_node *an = o->g->nodes.items[i].data;
		uint32_t current;

		if (an->kind != APPLY_DESTROY_DEPOSED || !an->change->deposed.n)
			continue;
		current =
			graph_find(o->g, instance_addr_text(&o->scratch,
							    &an->change->addr));
		arena_reset(&o->scratch);
		if (current != GRAPH_NONE)
			graph_edge(o->g, i, current, NULL,
				   "create_before_destroy");
	}
}
