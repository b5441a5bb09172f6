/* module_int.h - what a module holds, for who makes one */
#ifndef TFPIPE_CONFIG_MODULE_INT_H
#define TFPIPE_CONFIG_MODULE_INT_H

#include "config/config.h"

/* The provider that a name stands for when nothing says otherwise. */
struct provider_addr provider_implied(const struct config *c, struct str name);
/* "type.name", under which it lies in the map of its mode. */
struct str resource_map_key(struct arena *a, const struct resource_addr *r);
struct str resource_key(struct arena *a, const struct resource_addr *r);
struct map *module_resources(struct cfg_module *m, enum resource_mode mode);

#endif
