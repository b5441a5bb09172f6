/* providers_int.h - what the checks of provider configurations share */
#ifndef TFPIPE_CONFIG_PROVIDERS_INT_H
#define TFPIPE_CONFIG_PROVIDERS_INT_H

#include "config/config_int.h"

/* What one module has, by "name" or "name.alias". */
struct view {
	const struct cfg_module *m;
	struct arena *a;
	struct diags *ds;
	struct map configured; /* -> cfg_provider with something in it */
	struct map empty;      /* -> cfg_provider without */
	struct map passed;     /* -> cfg_provider_pass from the caller */
	struct map aliases;    /* -> cfg_required_provider that expects it */
	struct str here, caller; /* how messages name the modules */
	struct str host;
};

/* "name" or "name.alias" */
struct str provider_pair_name(struct arena *a, struct str name,
			      struct str alias);

/* providers_keys.c: a key where there are instances, and only there. */
void check_provider_key(struct view *v, const struct cfg_provider_ref *ref,
			const char *type);
/* The same for_each on both means that an instance goes when its objects still
 * need it. */
void warn_same_for_each(struct view *v, struct expression of,
			const struct cfg_provider_ref *ref, const char *type,
			struct str target);
/* Both, of all resources of that mode. */
void check_provider_keys(struct view *v, const struct map *resources);

/* The provider configurations of the whole tree. */
void check_providers(const struct config *c, struct diags *ds);

#endif
