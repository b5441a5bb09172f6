/*
 * packed_mirror.h - `providers mirror`: the packages that a configuration
 * needs, from their registries into a directory, which is a filesystem mirror
 * and, on a web server, a network mirror.  For `vendor` they come from the CLI
 * configuration's places, whose directories may have them unpacked.
 */
#ifndef TFPIPE_INSTALL_PACKED_MIRROR_H
#define TFPIPE_INSTALL_PACKED_MIRROR_H

#include "install/providers/requirements.h"

struct packed_mirror_options {
	struct str dir;
	struct str_vec platforms; /* none: this one */
	struct str default_host;
	bool configured; /* the CLI configuration counts; what it overrides is
			    left out, with a warning */
	void (*say)(void *data, const char *line);
	void *data;
};

int mirror_providers(struct arena *a, const struct config *c,
		     const struct packed_mirror_options *o, struct diags *ds);

#endif
