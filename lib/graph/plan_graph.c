/* plan_graph.c - see plan_graph.h: the nodes */
#include "addr/reference.h"
#include "config/module.h"
#include "graph/draw.h"
#include "graph/graph_int.h"
#include "graph/plan_graph.h"

/* An address in a module: "module.a." + text. */
static struct str in_module(struct arena *a, const struct cfg_module *m,
			    const char *prefix, struct str name)
{
	return STR_CAT(a, m->path, str_c(m->path.n ? "." : ""), str_c(prefix),
		       name);
}

uint32_t plan_add(struct plan_graph *pg, enum node_kind kind,
		  struct str address, struct cfg_module *m, void *object)
{
	uint32_t n = graph_add(pg->g, kind, address, m, object);

	pg->g->nodes.items[n].data = ARENA_NEW(pg->g->arena, struct plan_node);
	return n;
}

/* Nodes for all entries of one of the module's maps; returns the first. */
static uint32_t add_map(struct plan_graph *pg, struct cfg_module *m,
			const struct map *map, enum node_kind kind,
			const char *prefix)
{
	uint32_t base = (uint32_t)pg->g->nodes.len;

	for (size_t i = 0; i < map->len; i++)
		plan_add(pg, kind,
			 in_module(pg->g->arena, m, prefix,
				   map->entries[i].key),
			 m, map->entries[i].value);
	return base;
}

struct plan_graph_module *plan_module(const struct plan_graph *pg,
				      const struct cfg_module *m)
{
	return map_get(&pg->module_index, m->path);
}

static void add_module(struct plan_graph *pg, struct plan_graph_module *pm,
		       struct cfg_module *m)
{
	struct arena *a = pg->g->arena;

	pm->config = m;
	pm->expand = pm->close = GRAPH_NONE;
	map_put(a, &pg->module_index, m->path, pm);
	if (m->call)
		call_arguments(a, m->call, &pm->args);
	if (m->parent)
		pm->expand = plan_add(pg, NODE_MODULE, m->path, m, m->call);
	pm->variables = add_map(pg, m, &m->variables, NODE_VARIABLE, "var.");
	pm->locals = add_map(pg, m, &m->locals, NODE_LOCAL, "local.");
	pm->managed = add_map(pg, m, &m->managed, NODE_RESOURCE, "");
	pm->data = add_map(pg, m, &m->data, NODE_DATA, "data.");
	pm->ephemeral =
		add_map(pg, m, &m->ephemeral, NODE_EPHEMERAL, "ephemeral.");
	pm->outputs = add_map(pg, m, &m->outputs, NODE_OUTPUT, "output.");
	pm->checks = add_map(pg, m, &m->checks, NODE_CHECK, "check.");
	if (m->parent)
		pm->close = plan_add(pg, NODE_MODULE_CLOSE,
				     str_printf(a, "%.*s (close)",
						STR_ARG(m->path)),
				     m, m->call);
}

/* About two edges a node are usual. */
static void reserve(struct plan_graph *pg)
{
	size_t n = pg->state ? pg->state->resources.len : 0;

	for (size_t i = 0; i < pg->config->modules.len; i++) {
		const struct cfg_module *m =
			pg->config->modules.entries[i].value;

		n += 2 + m->variables.len + m->locals.len + m->managed.len +
		     m->data.len + m->ephemeral.len + m->outputs.len +
		     m->checks.len;
	}
	graph_reserve(pg->g, n + 8, n + 8, n * 2 + 8);
}

static void add_modules(struct plan_graph *pg)
{
	const struct map *all = &pg->config->modules;
	struct arena *a = pg->g->arena;

	pg->nmodules = all->len;
	pg->modules = ARENA_ARRAY(a, struct plan_graph_module, all->len);
	for (size_t i = 0; i < all->len; i++)
		add_module(pg, &pg->modules[i], all->entries[i].value);
	for (size_t i = 0; i < all->len; i++) {
		struct plan_graph_module *pm = &pg->modules[i];
		const struct map *calls = &pm->config->calls;

		if (pm->config->parent)
			pm->parent = plan_module(pg, pm->config->parent);
		pm->children = ARENA_ARRAY(a, struct plan_graph_module *,
					   calls->len + 1);
		for (size_t k = 0; k < calls->len; k++) {
			struct cfg_call *c = calls->entries[k].value;

			if (c->child)
				pm->children[k] = plan_module(pg, c->child);
		}
	}
}

static int add_state_node(struct plan_graph *pg, enum node_kind kind,
			  uint32_t index, const char *suffix, struct diags *ds)
{
	struct state_resource *r = pg->state->resources.items[index];
	struct cfg_module *m = config_module(pg->config, r->module);
	struct cfg_resource *c = m ? config_resource(m, &r->addr) : NULL;
	struct arena *a = pg->g->arena;
	struct buf b = BUF_INIT;
	struct str text;
	uint32_t n;

	state_resource_text(&b, r->module, &r->addr);
	text = buf_dup(a, &b);
	buf_release(&b);
	n = plan_add(pg, kind, str_printf(a, "%.*s%s", STR_ARG(text), suffix),
		     m, r);
	plan_node(pg, n)->state_index = index;
	if (c)
		return plan_connect_provider(pg, n, c, ds);
	if (r->addr.mode != MODE_MANAGED)
		return 0;
	return plan_connect_recorded(pg, n, r, kind, ds);
}

/* Resources of the state: those without configuration, or all to destroy;
 * deposed objects by themselves. */
static int add_state(struct plan_graph *pg, struct diags *ds)
{
	int rc = 0;

	for (uint32_t i = 0; pg->state && i < pg->state->resources.len; i++) {
		struct state_resource *r = pg->state->resources.items[i];
		bool known =
			config_resource_at(pg->config, r->module, &r->addr);
		bool current = false, deposed = false;

		for (size_t k = 0; k < r->instances.len; k++) {
			current |= !r->instances.items[k]->deposed.n;
			deposed |= r->instances.items[k]->deposed.n > 0;
		}
		if (current && pg->kind == PLAN_GRAPH_DESTROY)
			rc |= add_state_node(pg, NODE_DESTROY, i, " (destroy)",
					     ds);
		else if (current && !known)
			rc |= add_state_node(pg, NODE_ORPHAN, i, "", ds);
		if (deposed)
			rc |= add_state_node(pg, NODE_DEPOSED, i, " (deposed)",
					     ds);
	}
	return rc;
}

/* A node in a module depends on its expansion, and its close depends on the
 * node: those of the state, too, unless they are what is destroyed. */
static void connect_module(struct plan_graph *pg, uint32_t node,
			   const struct plan_graph_module *pm)
{
	const struct graph_node *n = &pg->g->nodes.items[node];
	const struct cfg_resource *r = n->object;

	if (pm->expand == GRAPH_NONE || node == pm->expand ||
	    n->kind == NODE_PROVIDER ||
	    (node_is_from_state(n) && pg->kind == PLAN_GRAPH_DESTROY))
		return;
	graph_edge(pg->g, node, pm->expand, NULL, "module");
	if (node == pm->close || n->kind == NODE_CHECK ||
	    (n->kind == NODE_DATA && r->check))
		return;
	graph_edge(pg->g, pm->close, node, NULL, "module");
}

void call_arguments(struct arena *a, const struct cfg_call *c, struct map *out)
{
	struct attribute_vec attrs = { 0 };
	struct diags ignored = DIAGS_INIT(a);

	if (!c->body)
		return;
	body_attributes(a, c->body, &attrs, &ignored);
	for (size_t i = 0; i < attrs.len; i++)
		map_put(a, out, attrs.items[i].name, &attrs.items[i]);
}

struct edge_ctx {
	struct plan_graph *pg;
	uint32_t node;
	struct diags *ds;
	int rc;
};

static void add_reference(void *data, const struct plan_graph_module *m,
			  const struct traversal_ref *t)
{
	struct edge_ctx *c = data;
	struct arena *a = c->pg->g->arena;
	struct diags ignored = DIAGS_INIT(a);
	struct plan_ref_target to;
	struct reference r;

	/* Errors of a reference, and references of an object to itself, are
	 * reported when it is evaluated. */
	if (reference_parse(a, t, &r, &ignored) ||
	    !plan_ref_resolve(c->pg, m, &r, &to))
		return;
	if (r.kind == REF_RESOURCE &&
	    (r.key.kind != KEY_NONE ? r.resource.mode == MODE_MANAGED
				    : t->picks && !r.nrest))
		plan_node(c->pg, to.first)->by_key = true;
	for (uint32_t i = 0; i < to.count; i++)
		if (to.first + i != c->node)
			graph_edge(c->pg->g, c->node, to.first + i,
				   t->src ? t : NULL, "check");
	if (to.close != GRAPH_NONE && to.close != c->node)
		graph_edge(c->pg->g, c->node, to.close, t, NULL);
}

/* Reported before anything is evaluated, and alone: errors elsewhere, cycles
 * too, may be its consequences. */
static void unknown_provider(struct edge_ctx *c,
			     const struct func_of_provider *f,
			     const struct call_ref *at)
{
	const struct range r = source_range(at->src, at->span);
	bool expands = c->pg->g->nodes.items[c->node].kind == NODE_MODULE;

	if (!expands)
		c->rc = diag_error(
			c->ds, &r, "Unknown function provider",
			"No provider that this module requires is named \"%.*s\".",
			STR_ARG(f->local));
}

/* A function is called on the provider that is configured, if one is. */
static void add_call(void *data, const struct plan_graph_module *m,
		     const struct func_of_provider *f,
		     const struct call_ref *at)
{
	const struct cfg_required_provider *req =
		map_get(&m->config->required_providers, f->local);
	const struct cfg_provider_ref ref = { .given = true,
					      .name = f->local,
					      .alias = f->alias };
	struct provider_config_addr addr = { .alias = STR_NONE };
	const struct cfg_provider *p = NULL;
	struct edge_ctx *c = data;
	uint32_t to;

	if (!req)
		unknown_provider(c, f, at);
	if (req)
		p = config_provider_for(m->config, &ref, req->addr, &addr);
	if (!p || p->implied)
		return;
	to = plan_provider_node(c->pg, &addr, p);
	if (to != c->node)
		graph_edge(c->pg->g, c->node, to, NULL, "provider");
	else
		c->rc = diag_error(
			c->ds, &p->at, "Self reference",
			"The configuration of %.*s calls a function of that very provider.",
			STR_ARG(c->pg->g->nodes.items[to].address));
}

static int connect_node(struct plan_graph *pg, uint32_t node, struct diags *ds)
{
	const struct graph_node *n = &pg->g->nodes.items[node];
	bool destroy = pg->kind == PLAN_GRAPH_DESTROY;
	struct edge_ctx ctx = { pg, node, ds, 0 };

	if (n->module)
		connect_module(pg, node, plan_module(pg, n->module));
	if (destroy && (n->kind == NODE_RESOURCE || n->kind == NODE_DATA))
		return 0;
	if (node_is_resource(n))
		ctx.rc = plan_connect_provider(pg, node, n->object, ds);
	plan_node_references(pg->g->arena, pg, node, add_reference, add_call,
			     &ctx);
	return ctx.rc;
}

/* Children are expanded after, and closed before, the modules around them. */
static void connect_module_tree(struct plan_graph *pg)
{
	for (size_t i = 0; i < pg->nmodules; i++) {
		const struct plan_graph_module *pm = &pg->modules[i];

		if (!pm->parent || pm->parent->expand == GRAPH_NONE)
			continue;
		graph_edge(pg->g, pm->expand, pm->parent->expand, NULL,
			   "module");
		graph_edge(pg->g, pm->parent->close, pm->close, NULL, "module");
	}
}

/* Only what the destroy nodes need is worth evaluating. */
static void select_needed(struct plan_graph *pg)
{
	struct graph *g = pg->g;
	unsigned char *set =
		ARENA_ARRAY(g->arena, unsigned char, g->nodes.len + 1);

	for (size_t i = 0; i < g->nodes.len; i++)
		set[i] = node_is_from_state(&g->nodes.items[i]);
	graph_reach(g, set, false);
	for (size_t i = 0; i < g->nodes.len; i++) {
		struct graph_node *n = &g->nodes.items[i];

		n->selected = set[i] ||
			      (n->kind == NODE_OUTPUT && !n->module->parent);
	}
}

static struct plan_graph *build(struct arena *a, struct plan_graph *pg,
				struct diags *ds)
{
	const struct map *modules = &pg->config->modules;
	int rc = 0;

	for (size_t i = 0; !rc && i < modules->len; i++)
		rc = plan_check_passed(pg, modules->entries[i].value, ds);
	if (rc)
		return NULL;
	pg->g = graph_new(a);
	pg->recorded = ARENA_NEW(a, struct map);
	reserve(pg);
	pg->imports = imports_by_resource(a, pg->config);
	add_modules(pg);
	rc = add_state(pg, ds);
	/* Provider nodes are added on the way, and visited as well. */
	for (uint32_t i = 0; i < pg->g->nodes.len; i++)
		rc |= connect_node(pg, i, ds);
	connect_module_tree(pg);
	if (pg->kind == PLAN_GRAPH_DESTROY) {
		select_needed(pg);
		plan_graph_order_destroy(pg);
	}
	return rc || graph_check_cycles(a, pg->g, ds) ? NULL : pg;
}

struct plan_graph *plan_graph_build(struct arena *a, const struct config *c,
				    const struct state *s,
				    enum plan_graph_kind kind, struct diags *ds)
{
	struct plan_graph *pg = ARENA_NEW(a, struct plan_graph);

	pg->config = c;
	pg->state = s;
	pg->kind = kind;
	return build(a, pg, ds);
}

struct plan_graph *plan_graph_build_shaped(struct arena *a,
					   const struct config *c,
					   const struct plan_shapes *shapes,
					   struct diags *ds)
{
	struct plan_graph *pg = ARENA_NEW(a, struct plan_graph);

	pg->config = c;
	pg->shapes = shapes;
	return build(a, pg, ds);
}

uint32_t plan_graph_resource(const struct plan_graph *pg,
			     const struct cfg_resource *r)
{
	const struct plan_graph_module *pm = plan_module(pg, r->module);
	const struct cfg_module *m = r->module;
	const struct map *maps[] = { &m->managed, &m->data, &m->ephemeral };
	const uint32_t bases[] = { pm->managed, pm->data, pm->ephemeral };
	struct buf key = BUF_INIT;
	ptrdiff_t i;

	buf_addf(&key, "%.*s.%.*s", STR_ARG(r->addr.type),
		 STR_ARG(r->addr.name));
	i = map_index(maps[r->addr.mode], buf_view(&key));
	buf_release(&key);
	return i < 0 ? GRAPH_NONE : bases[r->addr.mode] + (uint32_t)i;
}

struct resource_addr graph_node_resource(const struct graph_node *n)
{
	if (node_is_resource(n))
		return ((const struct cfg_resource *)n->object)->addr;
	return ((const struct state_resource *)n->object)->addr;
}
