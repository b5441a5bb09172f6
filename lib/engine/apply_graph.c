/*
 * apply_graph.c - see apply_graph.h: nodes, and the edges of references
 *
 * Built over the nodes of the plan graph: those that are no resources are taken
 * over as they are; a resource becomes two joins with the nodes of its
 * instances between them.  apply_edges.c adds the edges of destroying.
 */
#include "engine/apply_graph_int.h"

#include <stdlib.h>

/* --- joins and families --- */

uint32_t agb_join(struct agb *b, struct str name)
{
	uint32_t n = graph_add(b->g, NODE_JOIN, name, NULL, NULL);

	b->g->nodes.items[n].data = ARENA_NEW(b->a, struct apply_node);
	return n;
}

uint32_t gather_before(struct agb *b, struct gather *g)
{
	if (g->before != GRAPH_NONE)
		return g->before;
	if (g->members.len == 1)
		return g->before = g->members.items[0];
	g->before = agb_join(b, str_printf(b->a, "%.*s (before)",
					   STR_ARG(g->name)));
	for (size_t i = 0; i < g->members.len; i++)
		graph_edge(b->g, g->members.items[i], g->before, NULL, NULL);
	return g->before;
}

uint32_t gather_after(struct agb *b, struct gather *g)
{
	if (g->after != GRAPH_NONE)
		return g->after;
	if (g->members.len == 1)
		return g->after = g->members.items[0];
	g->after = agb_join(b, str_printf(b->a, "%.*s (after)",
					  STR_ARG(g->name)));
	for (size_t i = 0; i < g->members.len; i++)
		graph_edge(b->g, g->after, g->members.items[i], NULL, NULL);
	return g->after;
}

static void gather_init(struct agb *b, struct gather *g, struct str address,
			const char *what)
{
	*g = (struct gather){ .before = GRAPH_NONE, .after = GRAPH_NONE };
	g->name = str_printf(b->a, "%.*s: %s", STR_ARG(address), what);
}

static struct family *family_new(struct agb *b, struct str address,
				 struct str module, struct str module_path)
{
	struct family *f = ARENA_NEW(b->a, struct family);

	f->address = str_dup(b->a, address);
	f->module = str_dup(b->a, module);
	f->module_path = str_dup(b->a, module_path);
	gather_init(b, &f->creators, f->address, "creating");
	gather_init(b, &f->users, f->address, "using");
	gather_init(b, &f->destroyers, f->address, "destroying");
	gather_init(b, &f->destroyers_cbd, f->address, "destroying after");
	gather_init(b, &f->all_destroyers, f->address, "destroying all");
	map_put(b->a, &b->families, f->address, f);
	return f;
}

static struct family *family_of(struct agb *b, const struct instance_addr *i,
				bool local)
{
	struct buf path = BUF_INIT, module = BUF_INIT, text = BUF_INIT;
	struct family *f;

	module_path_print(&path, i->module);
	if (local)
		module_addr_print(&module, i->module);
	else
		buf_str(&module, buf_view(&path));
	buf_str(&text, buf_view(&module));
	if (text.len)
		buf_putc(&text, '.');
	resource_addr_print(&text, i->resource);
	f = map_get(&b->families, buf_view(&text));
	if (!f)
		f = family_new(b, buf_view(&text), buf_view(&module),
			       buf_view(&path));
	buf_release(&path);
	buf_release(&module);
	buf_release(&text);
	return f;
}

struct family *agb_local_family(struct agb *b, const struct instance_addr *i)
{
	return family_of(b, i, true);
}

struct family *agb_config_family(struct agb *b, const struct instance_addr *i)
{
	return family_of(b, i, false);
}

struct family *agb_seen_from(struct agb *b, const struct family *f,
			     struct family *whole)
{
	struct buf text = BUF_INIT;
	struct family *part;

	if (!str_eq(f->module_path, whole->module_path) ||
	    str_eq(f->module, f->module_path))
		return whole;
	buf_str(&text, f->module);
	buf_str(&text, str_sub(whole->address, whole->module_path.n,
			       whole->address.n));
	part = map_get(&b->families, buf_view(&text));
	buf_release(&text);
	return part;
}

static bool of_state(const struct graph_node *n)
{
	return n->kind == NODE_ORPHAN || n->kind == NODE_DESTROY ||
	       n->kind == NODE_DEPOSED;
}

static bool is_resource(const struct graph_node *n)
{
	return n->kind == NODE_RESOURCE || n->kind == NODE_DATA ||
	       n->kind == NODE_EPHEMERAL;
}

/* --- nodes for the changes --- */

static const struct cfg_resource *resource_config(struct agb *b,
						  const struct change *c)
{
	struct cfg_module *m = config_module(b->config, c->addr.module);

	return m ? config_resource(m, &c->addr.resource) : NULL;
}

static uint32_t add_node(struct agb *b, enum node_kind kind,
			 enum apply_kind what, struct str address,
			 struct change *c, const struct cfg_resource *config)
{
	uint32_t n = graph_add(b->g, kind, address,
			       config ? config->module : NULL, c);
	struct apply_node *an = ARENA_NEW(b->a, struct apply_node);

	an->kind = what;
	an->change = c;
	an->config = config;
	b->g->nodes.items[n].data = an;
	return n;
}

/* path.t.n[key] without keys of modules -> the nodes that change it: what a
 * reference with a literal key means. */
static void note_instance(struct agb *b, struct map *m, uint32_t node,
			  const struct change *c)
{
	struct buf text = BUF_INIT;
	struct map_entry *e;

	if (c->addr.key.kind == KEY_NONE)
		return;
	buf_str(&text, agb_config_family(b, &c->addr)->address);
	key_print(&text, c->addr.key);
	e = map_slot(b->a, m, buf_view(&text));
	if (!e->value) {
		e->key = buf_dup(b->a, &text);
		e->value = ARENA_NEW(b->a, struct node_list);
	}
	vec_push(b->a, (struct node_list *)e->value, node);
	buf_release(&text);
}

static void connect_provider(struct agb *b, uint32_t node,
			     const struct change *c)
{
	struct provider_config_addr addr = c->provider;
	uint32_t p;

	addr.key = KEY_ABSENT;
	p = graph_find(b->g, provider_config_text(&b->scratch, &addr));
	if (p != GRAPH_NONE) {
		graph_edge(b->g, node, p, NULL, "provider");
		if (c->action != ACTION_NOOP)
			((struct apply_node *)b->g->nodes.items[p].data)
				->needed = true;
	}
	arena_reset(&b->scratch);
}

static bool keeps_first(const struct cfg_resource *config)
{
	return config &&
	       expression_constant_bool(config->lifecycle.create_before_destroy,
					false);
}

static uint32_t add_creator(struct agb *b, struct change *c, struct str text,
			    const struct cfg_resource *config,
			    const struct state_instance *si)
{
	enum node_kind kind = c->addr.resource.mode == MODE_DATA ? NODE_DATA
								 : NODE_RESOURCE;
	uint32_t node = add_node(b, kind, APPLY_CHANGE, text, c, config);

	note_instance(b, &b->instance_nodes, node, c);
	connect_provider(b, node, c);
	if (config) {
		uint32_t r = plan_graph_resource(b->ag->pg, config);

		graph_edge(b->g, node, b->ends[r].in, NULL, NULL);
		graph_edge(b->g, b->ends[r].out, node, NULL, NULL);
	}
	agb_classify(b, node, c, si, false,
		     c->action == ACTION_CREATE_DELETE || keeps_first(config));
	return node;
}

/* The state decides, then the configuration. */
static bool destroys_late(const struct state_instance *si)
{
	return si && (si->deposed.n || si->create_before_destroy);
}

static uint32_t add_destroyer(struct agb *b, struct change *c, struct str text,
			      struct str deposed,
			      const struct cfg_resource *config,
			      const struct state_instance *si,
			      const struct state_instance *current)
{
	bool cbd = deposed.n || destroys_late(si);
	struct apply_node *an;
	uint32_t node;

	if (deposed.n)
		text = str_printf(b->a, "%.*s (destroy deposed %.*s)",
				  STR_ARG(text), STR_ARG(deposed));
	else
		text = str_printf(b->a, "%.*s (destroy)", STR_ARG(text));
	node = add_node(b, NODE_DESTROY,
			deposed.n ? APPLY_DESTROY_DEPOSED : APPLY_DESTROY, text,
			c, config);
	an = b->g->nodes.items[node].data;
	an->deposed = deposed;
	if (c->addr.resource.mode == MODE_MANAGED)
		connect_provider(b, node, c);
	if (!cbd)
		note_instance(b, &b->destroy_nodes, node, c);
	/* A deposed object goes by the dependencies of the current one. */
	agb_classify(b, node, c, current ? current : si, true, cbd);
	return node;
}

static uint32_t add_forgetter(struct agb *b, struct change *c, struct str text,
			      const struct cfg_resource *config)
{
	uint32_t node;

	if (c->deposed.n)
		text = str_printf(b->a, "%.*s (forget deposed %.*s)",
				  STR_ARG(text), STR_ARG(c->deposed));
	else
		text = str_printf(b->a, "%.*s (forget)", STR_ARG(text));
	node = add_node(b, NODE_DESTROY, APPLY_FORGET, text, c, config);
	((struct apply_node *)b->g->nodes.items[node].data)->deposed =
		c->deposed;
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
	case ACTION_NOOP: /* conditions must hold in the end as well */
		w.update = config &&
			   (config->lifecycle.preconditions.len ||
			    config->lifecycle.postconditions.len);
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

static int invalid_change(struct agb *b, struct str text, const char *why)
{
	return diag_error(b->ds, NULL, "Invalid planned change",
			  "The plan's change of %.*s cannot be applied: %s.",
			  STR_ARG(text), why);
}

/* Creating before destroying: the old object is deposed under a key that both
 * nodes know. The old object goes last, so its node depends on the new one. */
static int connect_pair(struct agb *b, struct change *c, uint32_t create,
			uint32_t destroy)
{
	struct apply_node *cn = b->g->nodes.items[create].data;
	struct apply_node *dn = b->g->nodes.items[destroy].data;

	if (c->action == ACTION_CREATE_DELETE) {
		cn->deposed = dn->deposed;
		graph_edge(b->g, destroy, create, NULL, "create_before_destroy");
	} else {
		graph_edge(b->g, create, destroy, NULL, "replace");
	}
	return 0;
}

static int add_change(struct agb *b, struct change *c)
{
	struct state_resource *sr = state_resource(b->state, c->addr.module,
						   &c->addr.resource);
	struct state_instance *si =
		sr ? state_deposed(sr, c->addr.key, c->deposed) : NULL;
	const struct cfg_resource *config = resource_config(b, c);
	struct wanted w = wanted_nodes(c, config);
	struct str text = instance_addr_text(b->a, &c->addr);
	struct str deposed = c->deposed;
	uint32_t create = GRAPH_NONE, destroy = GRAPH_NONE;

	if (c->deposed.n && w.update)
		return invalid_change(b, text, "a deposed object can only be "
				      "destroyed or forgotten");
	if (w.update && !config)
		return invalid_change(b, text,
				      "it is not in the configuration");
	if ((w.destroy || c->action == ACTION_UPDATE) && !si)
		return invalid_change(b, text, "it is not in the state");
	if (c->action == ACTION_CREATE_DELETE)
		deposed = state_deposed_key(b->a, sr);
	if (w.update)
		create = add_creator(b, c, text, config, si);
	if (w.destroy)
		destroy = add_destroyer(b, c, text, deposed, config, si,
					state_instance(sr, c->addr.key));
	if (w.forget) {
		uint32_t f = add_forgetter(b, c, text, config);

		if (create != GRAPH_NONE)
			graph_edge(b->g, create, f, NULL, "forget");
	}
	if (create != GRAPH_NONE && destroy != GRAPH_NONE)
		return connect_pair(b, c, create, destroy);
	return 0;
}

/* A deposed object goes after whatever is done to the current one. */
static void connect_deposed(struct agb *b)
{
	for (uint32_t i = 0; i < b->g->nodes.len; i++) {
		const struct apply_node *an = b->g->nodes.items[i].data;
		uint32_t current;

		if (an->kind != APPLY_DESTROY_DEPOSED ||
		    !an->change->deposed.n)
			continue;
		current = graph_find(b->g, instance_addr_text(
						   &b->scratch,
						   &an->change->addr));
		arena_reset(&b->scratch);
		if (current != GRAPH_NONE)
			graph_edge(b->g, i, current, NULL,
				   "create_before_destroy");
	}
}

/* --- the configuration --- */

static enum apply_kind kind_of(const struct agb *b, const struct graph_node *n)
{
	bool root = !n->module || !n->module->parent;
	const struct cfg_output *output;

	switch (n->kind) {
	case NODE_OUTPUT: /* of a child only what must hold */
		output = n->object;
		return n->selected && (root || (output->preconditions.len &&
						!b->o->destroy))
			       ? APPLY_OUTPUT : APPLY_NOTHING;
	case NODE_CHECK:
		return n->selected && !b->o->destroy ? APPLY_CHECK
						     : APPLY_NOTHING;
	case NODE_PROVIDER:
		return APPLY_PROVIDER;
	default:
		return APPLY_NOTHING;
	}
}

static void take_over(struct agb *b, uint32_t i)
{
	const struct graph_node *n = &b->ag->pg->g->nodes.items[i];
	struct apply_node *an = ARENA_NEW(b->a, struct apply_node);
	uint32_t node = graph_add(b->g, n->kind, n->address, n->module,
				  n->object);

	an->kind = kind_of(b, n);
	if (n->kind == NODE_OUTPUT)
		an->output = n->object;
	else if (n->kind == NODE_CHECK)
		an->check = n->object;
	else if (n->kind == NODE_PROVIDER)
		an->provider = n->object;
	b->g->nodes.items[node].data = an;
	b->g->nodes.items[node].selected = n->selected;
	b->ends[i] = (struct config_ends){ node, node };
}

static void add_resource(struct agb *b, uint32_t i)
{
	const struct graph_node *n = &b->ag->pg->g->nodes.items[i];
	struct config_ends e;

	e.in = agb_join(b, str_printf(b->a, "%.*s (open)",
				      STR_ARG(n->address)));
	e.out = agb_join(b, str_printf(b->a, "%.*s (done)",
				       STR_ARG(n->address)));
	graph_edge(b->g, e.out, e.in, NULL, NULL);
	if (n->kind == NODE_EPHEMERAL) {
		uint32_t node = add_node(b, NODE_EPHEMERAL, APPLY_EPHEMERAL,
					 n->address, NULL, n->object);

		graph_edge(b->g, node, e.in, NULL, NULL);
		graph_edge(b->g, e.out, node, NULL, NULL);
	}
	b->ends[i] = e;
}

static void add_config_nodes(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;

	b->ends = ARENA_ARRAY(b->a, struct config_ends, pg->nodes.len);
	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];

		if (of_state(n))
			b->ends[i] = (struct config_ends){ GRAPH_NONE,
							   GRAPH_NONE };
		else if (is_resource(n))
			add_resource(b, i);
		else
			take_over(b, i);
	}
}

struct ref_ctx {
	struct agb *b;
	uint32_t node; /* of the plan graph */
};

/* r[0] means that instance, if something is done to it; else all. */
static void connect_reference(void *data, uint32_t to, struct inst_key key,
			      const struct traversal_ref *why)
{
	struct ref_ctx *c = data;
	struct agb *b = c->b;
	const struct graph_node *n = &b->ag->pg->g->nodes.items[to];
	struct node_list *nodes = NULL;
	uint32_t from = b->ends[c->node].in;

	if (key.kind != KEY_NONE) {
		struct buf text = BUF_INIT;

		buf_str(&text, n->address);
		key_print(&text, key);
		nodes = map_get(&b->instance_nodes, buf_view(&text));
		buf_release(&text);
	}
	for (size_t i = 0; nodes && i < nodes->len; i++)
		graph_edge(b->g, from, nodes->items[i], why, NULL);
	if (!nodes)
		graph_edge(b->g, from, b->ends[to].out, why, NULL);
	if (is_resource(&b->ag->pg->g->nodes.items[c->node]))
		agb_reference_destroyers(
			b, b->ag->pg->g->nodes.items[c->node].address,
			n->address, key);
}

static void connect_config(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;

	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];
		struct ref_ctx ctx = { b, i };

		if (of_state(n) ||
		    (b->o->destroy && n->kind == NODE_OUTPUT &&
		     !n->module->parent))
			continue;
		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = pg->edges.items[e].next) {
			const struct graph_edge *edge = &pg->edges.items[e];

			if (!is_resource(&pg->nodes.items[edge->to]) ||
			    n->kind == NODE_MODULE_CLOSE)
				graph_edge(b->g, b->ends[i].in,
					   b->ends[edge->to].out, edge->why,
					   edge->implied);
		}
		plan_graph_resource_refs(b->a, b->ag->pg, i, connect_reference,
					 &ctx);
	}
}

/* The data source of a check block is read when all changes are made. */
static void connect_checks(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;
	uint32_t all = GRAPH_NONE;

	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];

		if (n->kind != NODE_DATA ||
		    !((const struct cfg_resource *)n->object)->check)
			continue;
		if (all == GRAPH_NONE) {
			all = agb_join(b, STR("(execute checks)"));
			for (uint32_t k = 0; k < b->g->nodes.len; k++) {
				const struct graph_node *c =
					&b->g->nodes.items[k];
				const struct apply_node *an = c->data;

				if (c->kind == NODE_RESOURCE &&
				    an->kind == APPLY_CHANGE)
					graph_edge(b->g, all, k, NULL, NULL);
			}
		}
		graph_edge(b->g, b->ends[i].in, all, NULL, "check");
	}
}

/* An ephemeral resource is opened only if somebody needs it who does something.
 */
static void mark_needed(struct agb *b)
{
	size_t n = b->g->nodes.len;
	unsigned char *set = ARENA_ARRAY(&b->scratch, unsigned char, n + 1);

	for (size_t i = 0; i < n; i++) {
		const struct apply_node *an = b->g->nodes.items[i].data;

		set[i] = an->kind != APPLY_NOTHING &&
			 an->kind != APPLY_EPHEMERAL &&
			 an->kind != APPLY_PROVIDER;
	}
	graph_reach(b->g, set, false);
	for (size_t i = 0; i < n; i++) {
		struct apply_node *an = b->g->nodes.items[i].data;

		if (an->kind == APPLY_EPHEMERAL)
			an->needed = set[i];
	}
	arena_reset(&b->scratch);
}

/* --- outputs under -target and -exclude --- */

struct output_search {
	struct agb *b;
	const struct graph *pg;
	const unsigned char *worked; /* has changes, or is needed for some */
	uint32_t *stack, *stamps;
	uint32_t stamp;
	size_t found;
	bool other; /* depends on what is left out */
};

/* A resource that the output names itself does not count unless something is
 * done to it; one behind a local value or a module does. */
static void meet(struct output_search *s, uint32_t to, bool direct, size_t *n)
{
	if (s->stamps[to] == s->stamp)
		return;
	s->stamps[to] = s->stamp;
	if (!is_resource(&s->pg->nodes.items[to]))
		s->stack[(*n)++] = to;
	else if (s->worked[to])
		s->found++;
	else if (!direct)
		s->other = true;
}

static bool output_kept(struct output_search *s, uint32_t output)
{
	size_t n = 0;

	s->stamp++;
	s->found = 0;
	s->other = false;
	s->stack[n++] = output;
	while (n) {
		uint32_t v = s->stack[--n];

		for (uint32_t e = s->pg->nodes.items[v].first; e != GRAPH_NONE;
		     e = s->pg->edges.items[e].next)
			meet(s, s->pg->edges.items[e].to, v == output, &n);
	}
	return s->found && !s->other;
}

/* Of the root outputs those are brought up to date that derive only from what
 * is worked on. */
static void select_outputs(struct agb *b)
{
	const struct graph *pg = b->ag->pg->g;
	struct arena *a = &b->scratch;
	unsigned char *set = ARENA_ARRAY(a, unsigned char, b->g->nodes.len + 1);
	unsigned char *worked = ARENA_ARRAY(a, unsigned char,
					    pg->nodes.len + 1);
	struct output_search s = { .b = b, .pg = pg, .worked = worked };

	for (size_t i = 0; i < b->g->nodes.len; i++)
		set[i] = ((struct apply_node *)b->g->nodes.items[i].data)
				 ->kind == APPLY_CHANGE;
	graph_reach(b->g, set, false);
	for (size_t i = 0; i < pg->nodes.len; i++)
		worked[i] = is_resource(&pg->nodes.items[i]) &&
			    set[b->ends[i].in];
	s.stack = ARENA_ARRAY(a, uint32_t, pg->nodes.len + 1);
	s.stamps = ARENA_ARRAY(a, uint32_t, pg->nodes.len + 1);
	for (uint32_t i = 0; i < pg->nodes.len; i++) {
		const struct graph_node *n = &pg->nodes.items[i];

		if (n->kind != NODE_OUTPUT || n->module->parent)
			continue;
		((struct apply_node *)b->g->nodes.items[b->ends[i].in].data)
			->kind = !b->o->destroy && output_kept(&s, i)
					 ? APPLY_OUTPUT : APPLY_NOTHING;
	}
	arena_reset(a);
}

static int build(struct agb *b, const struct change_vec *changes)
{
	int rc = 0;

	b->g = b->ag->g = graph_new(b->a);
	b->families = b->classes = (struct map){ 0 };
	b->instance_nodes = b->destroy_nodes = (struct map){ 0 };
	b->class_list.len = 0;
	add_config_nodes(b);
	for (size_t i = 0; i < changes->len; i++)
		rc |= add_change(b, changes->items[i]);
	if (rc)
		return -1;
	connect_deposed(b);
	connect_config(b);
	connect_checks(b);
	agb_destroy_edges(b);
	if (b->o->ntargets || b->o->nexcludes)
		select_outputs(b);
	return 0;
}

struct apply_graph *apply_graph_build(struct arena *a, const struct config *c,
				      const struct state *state,
				      const struct change_vec *changes,
				      const struct apply_graph_options *o,
				      struct diags *ds)
{
	struct agb b = { .a = a, .scratch = ARENA_INIT, .config = c,
			 .state = state, .o = o, .ds = ds };
	uint32_t *order;
	bool cyclic;
	int rc;

	b.ag = ARENA_NEW(a, struct apply_graph);
	b.ag->pg = plan_graph_build(a, c, state, PLAN_GRAPH_NORMAL, ds);
	if (!b.ag->pg)
		return NULL;
	plan_graph_select(b.ag->pg, o->targets, o->ntargets, o->excludes,
			  o->nexcludes);
	rc = build(&b, changes);
	if (!rc) {
		order = xcalloc(b.g->nodes.len + 1, sizeof(*order));
		cyclic = graph_order(b.g, order) < b.g->nodes.len;
		free(order);
		if (cyclic && !o->destroy) {
			b.components = graph_components(a, b.g);
			rc = build(&b, changes);
		}
	}
	if (!rc)
		mark_needed(&b);
	arena_release(&b.scratch);
	return rc || graph_check_cycles(a, b.g, ds) ? NULL : b.ag;
}
