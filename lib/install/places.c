/* places.c - see places.h */
#include "install/places.h"

#include "config/url.h"

bool place_is_remote(const struct mirror *m)
{
	return m->kind == MIRROR_NETWORK || m->kind == MIRROR_DIRECT;
}

struct str place_text(struct arena *a, const struct mirror *m,
		      struct provider_addr p)
{
	switch (m->kind) {
	case MIRROR_NETWORK:
		return str_printf(a, "the network mirror %.*s",
				  STR_ARG(url_redacted(a, m->dir)));
	case MIRROR_OCI:
		return str_printf(a, "the OCI mirror %.*s (not asked: this "
				     "version reads none)", STR_ARG(m->dir));
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
		m->dir = plugin_dirs->items[i];
		vec_push(a, out, m);
	}
	for (size_t i = 0; !plugin_dirs->len && i < cli->mirrors.len; i++)
		if (mirror_serves(&cli->mirrors.items[i], p))
			vec_push(a, out, &cli->mirrors.items[i]);
}

int places_check(struct arena *a, const struct places *pl,
		 struct provider_addr p, struct diags *ds)
{
	for (size_t i = 0; i < pl->len; i++)
		if (pl->items[i]->kind == MIRROR_OCI)
			return diag_error(
				ds, NULL,
				"Unsupported provider installation method",
				"By the CLI configuration the OCI mirror %.*s "
				"must be asked for versions of %.*s, which "
				"this version cannot do. Exclude the provider "
				"there, or take that method out.",
				STR_ARG(pl->items[i]->dir),
				STR_ARG(provider_addr_text(a, p)));
	return 0;
}
