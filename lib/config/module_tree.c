/* module_tree.c - the modules of a configuration */
#include "config/module.h"
#include "addr/provider.h"

struct config *config_new(struct arena *a)
{
	struct config *c = ARENA_NEW(a, struct config);

	c->arena = a;
	c->default_host = provider_default_host();
	return c;
}

struct cfg_module *config_module(const struct config *c, struct module_addr m)
{
	struct buf path = BUF_INIT;
	struct cfg_module *found;

	module_addr_print_path(&path, m);
	found = map_get(&c->modules, buf_view(&path));
	buf_release(&path);
	return found;
}

struct cfg_resource *config_resource_at(const struct config *c,
					struct module_addr m,
					const struct resource_addr *r)
{
	const struct cfg_module *found = config_module(c, m);

	return found ? config_resource(found, r) : NULL;
}

bool config_is_remote(const struct cfg_module *m)
{
	for (; m && m->call; m = m->parent)
		if (m->call->source_kind == SOURCE_REGISTRY ||
		    m->call->source_kind == SOURCE_REMOTE)
			return true;
	return false;
}
