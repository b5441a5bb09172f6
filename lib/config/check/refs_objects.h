/* refs_objects.h - the references of each kind of object; see refs.c */
#ifndef TFPIPE_CONFIG_REFS_OBJECTS_H
#define TFPIPE_CONFIG_REFS_OBJECTS_H

#include "config/check/refs.h"
#include "config/config.h"

/* Checks references of a local value, which may not name itself.  -1 after
 * errors. */
int config_refs_local(const struct refs_place *p, const struct cfg_local *l);
/* Checks the arguments of module calls against the variables of the modules.
 * Returns -1 after errors. */
int config_check_arguments(const struct config *c, struct diags *ds);

#endif
