/* module.h - what is looked up in a configuration */
#ifndef TFPIPE_CONFIG_MODULE_H
#define TFPIPE_CONFIG_MODULE_H

#include "config/config.h"

/* module.c: looks up the contents of a module */

/* value with the marks that v declares. */
const struct value *cfg_variable_marked(struct arena *a,
					const struct cfg_variable *v,
					const struct value *value);
/* An empty one, to be filled in. */
struct cfg_resource *cfg_resource_new(struct arena *a);
/* The resources of one mode, by "type.name". */
const struct map *config_resources(const struct cfg_module *m,
				   enum resource_mode mode);
struct cfg_resource *config_resource(const struct cfg_module *m,
				     const struct resource_addr *r);
/* The resource's index in config_resources, or -1. */
ptrdiff_t config_resource_place(const struct cfg_module *m,
				const struct resource_addr *r);
/* The provider that a local name refers to in m. */
struct provider_addr module_provider(const struct cfg_module *m,
				     struct str local_name);

/* module_tree.c: the modules of a configuration */

/* An empty one: for config_read_record. */
struct config *config_new(struct arena *a);
/* The module at a static path given by an instance address (keys ignored). */
struct cfg_module *config_module(const struct config *c, struct module_addr m);
/* Is it remote: does it, or a module that calls it, have a source that is not a
 * path? */
bool config_is_remote(const struct cfg_module *m);
/* A resource there; NULL: the module or the resource is not in the
 * configuration. */
struct cfg_resource *config_resource_at(const struct config *c,
					struct module_addr m,
					const struct resource_addr *r);

/* provider_for.c: which provider configuration serves an object */

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
