/* tree.h - the modules of a configuration */
#ifndef TFPIPE_CONFIG_TREE_H
#define TFPIPE_CONFIG_TREE_H

#include "config/config.h"

/* An empty one: for config_read_record. */
struct config *config_new(struct arena *a);
/* The module at a static path given by an instance address (keys ignored). */
struct cfg_module *config_module(const struct config *c, struct module_addr m);
/* Does it come from elsewhere: has it, or a module that calls it, a source that
 * is no path? */
bool config_is_remote(const struct cfg_module *m);
/* A resource there; NULL: the module or the resource is not in the
 * configuration. */
struct cfg_resource *config_resource_at(const struct config *c,
					struct module_addr m,
					const struct resource_addr *r);

#endif
