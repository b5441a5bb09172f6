/* places.c - see places.h */
#include "install/places.h"

static const char *const kind_names[] = {
	[MIRROR_NETWORK] = "the network mirror",
	[MIRROR_OCI] = "the OCI mirror",
	[MIRROR_DIRECT] = "the registry",
};

static struct str place_name(const struct mirror *m, struct provider_addr p)
{
	return m->kind == MIRROR_DIRECT ? p.host : m->dir;
}

static void search_mirror(struct arena *a, const struct places *pl,
			  const struct mirror *m, struct provider_addr p,
			  struct package_vec *out, struct buf *searched)
{
	if (!mirror_serves(m, p))
		return;
	if (m->kind == MIRROR_DIR) {
		packages_list(a, m->dir, p, pl->platform, out);
		buf_addf(searched, "\n  - %.*s", STR_ARG(m->dir));
		return;
	}
	buf_addf(searched, "\n  - %s %.*s (not asked: this version installs "
			   "from directories only)", kind_names[m->kind],
		 STR_ARG(place_name(m, p)));
}

void places_search(struct arena *a, const struct places *pl,
		   struct provider_addr p, struct package_vec *out,
		   struct buf *searched)
{
	const struct mirror_vec *mirrors = &pl->cli->mirrors;

	for (size_t i = 0; i < pl->dirs->len; i++) {
		packages_list(a, pl->dirs->items[i], p, pl->platform, out);
		buf_addf(searched, "\n  - %.*s", STR_ARG(pl->dirs->items[i]));
	}
	for (size_t i = 0; !pl->dirs->len && i < mirrors->len; i++)
		search_mirror(a, pl, &mirrors->items[i], p, out, searched);
}

int places_check(struct arena *a, const struct places *pl,
		 struct provider_addr p, struct diags *ds)
{
	const struct mirror *m = pl->cli->mirrors.items;

	if (pl->cli->implied || pl->dirs->len)
		return 0;
	for (size_t i = 0; i < pl->cli->mirrors.len; i++, m++)
		if (m->kind != MIRROR_DIR && mirror_serves(m, p))
			return diag_error(
				ds, NULL,
				"Unsupported provider installation method",
				"By the CLI configuration %s %.*s must be "
				"asked for versions of %.*s, but this version "
				"installs from directories only. Exclude the "
				"provider there, or take that method out.",
				kind_names[m->kind], STR_ARG(place_name(m, p)),
				STR_ARG(provider_addr_text(a, p)));
	return 0;
}
