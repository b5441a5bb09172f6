/* plan_serving.c - the provider configurations that serve resources, see
 * plan_graph.c */
#include "addr/provider.h"
#include "config/module.h"
#include "graph/graph_int.h"

uint32_t plan_provider_node(struct plan_graph *pg,
			    const struct provider_config_addr *addr,
			    const struct cfg_provider *config)
{
	struct str text = provider_config_text(pg->g->arena, addr);
	uint32_t n = graph_find(pg->g, text);
	struct plan_provider *p;

	if (n != GRAPH_NONE)
		return n;
	p = ARENA_NEW(pg->g->arena, struct plan_provider);
	p->addr = *addr;
	p->config = config;
	return plan_add(pg, NODE_PROVIDER, text,
			config ? config->module : pg->config->root, p);
}

static int not_present(struct diags *ds, struct str user,
		       const struct provider_config_addr *addr)
{
	struct str text = provider_config_text(ds->arena, addr);

	return diag_error(ds, NULL, "Provider configuration not present",
			  "%.*s needs the provider configuration %.*s, which "
			  "is not there. If it was removed, put it back until "
			  "the objects made with it are destroyed.",
			  STR_ARG(user), STR_ARG(text));
}

static int not_chosen(struct diags *ds, struct str user,
		      const struct cfg_resource *r,
		      const struct cfg_provider *p)
{
	return diag_error(ds, &r->at, "Invalid resource provider configuration",
			  "%.*s needs the provider \"%.*s\", which has "
			  "instances: one must be chosen with a key in "
			  "brackets, here or in \"providers\" of the module "
			  "block.",
			  STR_ARG(user), STR_ARG(p->name));
}

/* Most resources have that of the one before. */
int plan_connect_provider(struct plan_graph *pg, uint32_t node,
			  const struct cfg_resource *r, struct diags *ds)
{
	const struct cfg_resource *last = pg->last_served;
	struct str user = pg->g->nodes.items[node].address;
	struct cfg_provider_choice c;

	if (!last || last->module != r->module || r->provider_ref->given ||
	    last->provider_ref->given ||
	    !provider_addr_equal(last->provider, r->provider)) {
		config_provider_choose(r->module, r->provider_ref, r->provider,
				       &c);
		if (!c.provider && c.addr.alias.n &&
		    !(pg->shapes &&
		      config_provider_expected(pg->config, &c.addr)))
			return not_present(ds, user, &c.addr);
		if (cfg_provider_repeated(c.provider) && !c.key.root)
			return not_chosen(ds, user, r, c.provider);
		pg->last_provider = plan_provider_node(pg, &c.addr, c.provider);
		pg->last_instance = plan_chosen_instance(pg->g->arena, &c);
		pg->last_served = r;
	}
	graph_edge(pg->g, node, pg->last_provider, NULL, "provider");
	graph_note(pg->g, node, pg->last_instance);
	return 0;
}

/* --- configurations that are passed to modules --- */

/* The module's own block; NULL: it has none. */
static const struct cfg_provider *configured(
	const struct cfg_module *m, const struct provider_config_addr *addr)
{
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *p = m->providers.entries[i].value;

		if (str_eq(p->alias, addr->alias) &&
		    provider_addr_equal(p->provider, addr->provider))
			return p;
	}
	return NULL;
}

static bool is_passed(const struct cfg_module *m,
		      const struct provider_config_addr *addr)
{
	for (size_t i = 0; m->call && i < m->call->providers.len; i++) {
		const struct cfg_provider_pass *pass =
			&m->call->providers.items[i];

		if (str_eq(pass->child_alias, addr->alias) &&
		    provider_addr_equal(module_provider(m, pass->child_name),
					addr->provider))
			return true;
	}
	return false;
}

/* Is there a configuration in m that can be passed on?  In the root a required
 * provider has an empty one. */
static bool can_pass(const struct plan_graph *pg, const struct cfg_module *m,
		     const struct provider_config_addr *addr)
{
	if (configured(m, addr))
		return true;
	if (m->parent)
		return is_passed(m, addr);
	if (pg->shapes && config_provider_expected(pg->config, addr))
		return true;
	for (size_t i = 0; !addr->alias.n && i < m->required_providers.len;
	     i++) {
		const struct cfg_required_provider *q =
			m->required_providers.entries[i].value;

		if (provider_addr_equal(q->addr, addr->provider))
			return true;
	}
	return config_provider_keyed(m, addr->provider, addr->alias);
}

int plan_check_passed(const struct plan_graph *pg, const struct cfg_module *m,
		      struct diags *ds)
{
	for (size_t i = 0; m->call && i < m->call->providers.len; i++) {
		const struct cfg_provider_pass *pass =
			&m->call->providers.items[i];
		const struct provider_config_addr addr = {
			.provider = module_provider(m, pass->child_name),
			.alias = pass->parent.alias,
		};
		const struct str in = m->parent->path;
		struct str text;

		if (can_pass(pg, m->parent, &addr))
			continue;
		text = provider_config_text(ds->arena, &addr);
		return diag_error(ds, &m->call->at,
				  arena_printf(ds->arena,
					       "missing provider %.*s%s%.*s",
					       STR_ARG(in), in.n ? "." : "",
					       STR_ARG(text)),
				  "The module gets this provider "
				  "configuration, which is not there. A "
				  "provider block or, for one without an "
				  "alias in the root module, an entry in "
				  "required_providers makes it.");
	}
	return 0;
}

/* Is there a configuration, or a configuration passed in, of this provider in
 * the module itself? *ref gets its name there. */
static bool module_has_provider(const struct cfg_module *m,
				const struct provider_config_addr *addr,
				struct cfg_provider_ref *ref)
{
	const struct cfg_provider *own = configured(m, addr);

	if (own) {
		ref->name = own->name;
		return true;
	}
	if (config_provider_keyed(m, addr->provider, addr->alias))
		return true;
	for (size_t i = 0; i < m->required_providers.len; i++) {
		const struct map_entry *e = &m->required_providers.entries[i];
		const struct cfg_required_provider *q = e->value;

		if (!provider_addr_equal(q->addr, addr->provider))
			continue;
		for (size_t k = 0; m->call && k < m->call->providers.len; k++) {
			const struct cfg_provider_pass *pass =
				&m->call->providers.items[k];

			if (!str_eq(pass->child_name, e->key) ||
			    !str_eq(pass->child_alias, addr->alias))
				continue;
			ref->name = e->key;
			return true;
		}
	}
	return false;
}

/* For each object that the node represents. */
static int objects_not_present(const struct plan_graph *pg,
			       const struct state_resource *r,
			       enum node_kind kind, struct diags *ds)
{
	for (size_t i = 0; i < r->instances.len; i++) {
		const struct state_instance *si = r->instances.items[i];
		const struct instance_addr addr = { r->module, r->addr,
						    si->key };
		struct buf b = BUF_INIT;

		if ((si->deposed.n > 0) != (kind == NODE_DEPOSED))
			continue;
		instance_addr_print(&b, &addr);
		if (si->deposed.n)
			buf_addf(&b, " (deposed %.*s)", STR_ARG(si->deposed));
		not_present(ds, buf_dup(pg->g->arena, &b), &r->provider);
		buf_release(&b);
	}
	return -1;
}

int plan_connect_recorded(struct plan_graph *pg, uint32_t node,
			  const struct state_resource *r, enum node_kind kind,
			  struct diags *ds)
{
	const struct provider_config_addr *addr = &r->provider;
	struct cfg_module *m = config_module(pg->config, addr->module);
	struct provider_config_addr found = *addr;
	const struct cfg_provider *p = NULL;
	struct cfg_provider_ref ref = { .given = true, .alias = addr->alias };

	found.key = KEY_ABSENT;
	if (m && module_has_provider(m, addr, &ref))
		p = config_provider_for(m, &ref, addr->provider, &found);
	else if (addr->module.len || addr->alias.n)
		return objects_not_present(pg, r, kind, ds);
	graph_edge(pg->g, node, plan_provider_node(pg, &found, p), NULL,
		   "provider");
	graph_note(pg->g, node, plan_recorded_instance(pg->g->arena, r, kind));
	return 0;
}
