/* module_int.h - contents of a module, for the code that builds one */
#ifndef TFPIPE_CONFIG_MODULE_INT_H
#define TFPIPE_CONFIG_MODULE_INT_H

#include "config/config.h"

/* The default provider of a local name. */
struct provider_addr provider_implied(const struct config *c, struct str name);
/* "type.name", its key in the map of its mode. */
struct str cfg_resource_map_key(struct arena *a, const struct resource_addr *r);
struct str cfg_resource_key(struct arena *a, const struct resource_addr *r);
struct map *module_resources(struct cfg_module *m, enum resource_mode mode);

#endif
