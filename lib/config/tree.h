/* tree.h - the modules of a configuration */
#ifndef TFPIPE_CONFIG_TREE_H
#define TFPIPE_CONFIG_TREE_H

#include "config/config.h"

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

#endif
