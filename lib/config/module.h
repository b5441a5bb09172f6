/* module.h - looks up the contents of a module */
#ifndef TFPIPE_CONFIG_MODULE_H
#define TFPIPE_CONFIG_MODULE_H

#include "config/config.h"

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

#endif
