/*
 * places.h - the places that may have packages of a provider
 *
 * The directories of -plugin-dir, or else all places of the CLI configuration
 * that serve the provider.
 */
#ifndef TFPIPE_INSTALL_PLACES_H
#define TFPIPE_INSTALL_PLACES_H

#include "install/cli_config.h"
#include "install/providers/packages.h"

struct places VEC_OF(const struct mirror *);

/* All that may have packages of p, in the order in which they count. */
void places_of(struct arena *a, const struct cli_config *cli,
	       const struct str_vec *plugin_dirs, struct provider_addr p,
	       struct places *out);
/* Is it asked over the network? */
bool place_is_remote(const struct mirror *m);
/* A place's name in messages: "the registry HOST", a directory. */
struct str place_text(struct arena *a, const struct mirror *m,
		      struct provider_addr p);

#endif
