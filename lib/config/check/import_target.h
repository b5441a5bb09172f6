/* import_target.h - what the import command can import into */
#ifndef TFPIPE_CONFIG_IMPORT_TARGET_H
#define TFPIPE_CONFIG_IMPORT_TARGET_H

#include "config/config.h"

/* Is it a managed resource of the configuration?  -1 with a diagnostic. */
int import_target_check(struct arena *a, const struct config *c,
			const struct instance_addr *addr, struct diags *ds);

#endif
