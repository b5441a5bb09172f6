/* translate.c - see edit.h */
#include <stdlib.h>

#include "state/edit/edit.h"
#include "addr/provider.h"

static bool is_terraforms(struct provider_addr p)
{
	return str_is(p.host, "registry.terraform.io");
}

bool state_translatable(const struct state *s)
{
	static const char name[] =
		"OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION";

	for (size_t i = 0; i < s->resources.len; i++)
		if (is_terraforms(s->resources.items[i]->provider.provider))
			return !str_is(str_env(name), "0");
	return false;
}

/* The providers of Terraform's registry that a configuration asks for: a host
 * that is not the default one stands in required_providers alone. */
static void add_named(struct arena *a, const struct cfg_module *m,
		      struct map *named)
{
	for (size_t i = 0; i < m->required_providers.len; i++) {
		const struct cfg_required_provider *rp =
			m->required_providers.entries[i].value;

		if (is_terraforms(rp->addr))
			map_put(a, named, provider_addr_text(a, rp->addr),
				(void *)rp);
	}
}

void state_translate(struct state *s, const struct config *c)
{
	const struct str host = c ? c->default_host : provider_default_host();
	struct arena scratch = ARENA_INIT;
	struct map named = { 0 };

	for (size_t i = 0; c && i < c->modules.len; i++)
		add_named(&scratch, c->modules.entries[i].value, &named);
	for (size_t i = 0; i < s->resources.len; i++) {
		struct provider_addr *p =
			&s->resources.items[i]->provider.provider;

		if (!is_terraforms(*p) ||
		    (named.len &&
		     map_has(&named, provider_addr_text(&scratch, *p))))
			continue;
		p->host = host;
		s->translated = true;
	}
	arena_release(&scratch);
}
