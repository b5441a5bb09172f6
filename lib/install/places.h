/*
 * places.h - where packages of a provider are looked for
 *
 * The directories of -plugin-dir, or else all places of the CLI configuration
 * that serve the provider.  Only directories can be read.
 */
#ifndef TFPIPE_INSTALL_PLACES_H
#define TFPIPE_INSTALL_PLACES_H

#include "install/cli_config.h"
#include "install/packages.h"

struct places {
	const struct cli_config *cli;
	const struct str_vec *dirs; /* -plugin-dir */
	struct str platform;
};

/* Packages of p, newest first within each directory; the places go to searched,
 * a line each. */
void places_search(struct arena *a, const struct places *pl,
		   struct provider_addr p, struct package_vec *out,
		   struct buf *searched);

/* "Unsupported provider installation method": all places that serve a provider
 * say which versions there are, so that one that cannot be asked leaves it open
 * which is the newest.  The implied registry counts only for what no directory
 * has.  Not to be asked of a version that is locked: it is known. */
int places_check(struct arena *a, const struct places *pl,
		 struct provider_addr p, struct diags *ds);

#endif
