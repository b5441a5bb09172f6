/* places.c - see providers_int.h */
#include "install/providers/providers_int.h"
#include "config/source/url.h"

bool place_is_remote(const struct mirror *m)
{
	return m->kind != MIRROR_DIR;
}

struct str place_text(struct arena *a, const struct mirror *m,
		      struct provider_addr p)
{
	switch (m->kind) {
	case MIRROR_NETWORK:
		return str_printf(a, "the network mirror %.*s",
				  STR_ARG(url_redacted(a, m->dir)));
	case MIRROR_OCI:
		return str_printf(a, "the OCI mirror %.*s", STR_ARG(m->dir));
	case MIRROR_DIRECT:
		return str_printf(a, "the registry %.*s", STR_ARG(p.host));
	default:
		return m->dir;
	}
}

void places_of(struct arena *a, const struct cli_config *cli,
	       const struct str_vec *plugin_dirs, struct provider_addr p,
	       struct places *out)
{
	for (size_t i = 0; i < plugin_dirs->len; i++) {
		struct mirror *m = ARENA_NEW(a, struct mirror);

		m->kind = MIRROR_DIR;
		m->named = true;
		m->dir = plugin_dirs->items[i];
		vec_push(a, out, m);
	}
	for (size_t i = 0; !plugin_dirs->len && i < cli->mirrors.len; i++)
		if (mirror_serves(&cli->mirrors.items[i], p))
			vec_push(a, out, &cli->mirrors.items[i]);
}
