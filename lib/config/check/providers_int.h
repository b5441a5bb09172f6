/* providers_int.h - what the checks of provider configurations share */
#ifndef TFPIPE_CONFIG_PROVIDERS_INT_H
#define TFPIPE_CONFIG_PROVIDERS_INT_H

#include "config/config.h"

/* The provider configurations of one module, by "name" or "name.alias". */
struct check_view {
	const struct cfg_module *m;
	struct arena *a;
	struct diags *ds;
	struct map configured;   /* -> cfg_provider with something in it */
	struct map empty;        /* -> cfg_provider without */
	struct map passed;       /* -> cfg_provider_pass from the caller */
	struct map aliases;      /* -> cfg_required_provider that expects it */
	struct str here, caller; /* how messages name the modules */
	struct str host;
};

/* "name" or "name.alias" */
struct str provider_pair_name(struct arena *a, struct str name,
			      struct str alias);

/* The provider configurations of the whole tree. */
void check_providers(const struct config *c, struct diags *ds);

#endif
