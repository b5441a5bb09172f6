/* provider_for.h - which provider configuration serves an object */
#ifndef TFPIPE_CONFIG_PROVIDER_FOR_H
#define TFPIPE_CONFIG_PROVIDER_FOR_H

#include "config/config.h"

/* Finds the configuration that serves (module, local name, alias): follows
 * `providers` arguments of module calls up to the block.  NULL: none (an
 * implied empty one).  *addr gets the absolute address as in the state. */
const struct cfg_provider *config_provider_for(
	const struct cfg_module *m, const struct cfg_provider_ref *ref,
	struct provider_addr provider, struct provider_config_addr *addr);
/* The block of the module without an alias that has, or may have, the alias as
 * one of its keys: aws["us"] is aws.us.  NULL: none, or a block has that
 * alias. */
const struct cfg_provider *config_provider_keyed(const struct cfg_module *m,
						 struct provider_addr provider,
						 struct str alias);
/* The configuration and the key that chooses an instance of it. */
struct cfg_provider_choice {
	const struct cfg_provider *provider; /* NULL: no block */
	struct provider_config_addr addr;
	struct expression key; /* absent: no instances */
	/* where key is evaluated: NULL means for the object itself, otherwise
	 * for the instances of the call that passed it, in this module */
	const struct cfg_module *key_module;
};
void config_provider_choose(const struct cfg_module *m,
			    const struct cfg_provider_ref *ref,
			    struct provider_addr provider,
			    struct cfg_provider_choice *out);
/* Is it one that the root module expects from a caller (configuration_aliases)?
 * A module that is made to be called can be validated by itself, unless it
 * configures that provider: then the alias is taken to be forgotten. */
bool config_provider_expected(const struct config *c,
			      const struct provider_config_addr *addr);

#endif
