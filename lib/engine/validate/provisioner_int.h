/* provisioner_int.h - the validate walk at provisioners */
#ifndef TFPIPE_ENGINE_PROVISIONER_INT_H
#define TFPIPE_ENGINE_PROVISIONER_INT_H

#include "engine/validate/validate_int.h"

/* Returns -1 if there are errors and a provisioner: the first is the last that
 * is checked then. */
int validate_provisioners(struct visit *x, struct run_scope *s,
			  const struct cfg_resource *c);
/* Before the walk: are all that the configuration names there? */
int provisioners_exist(const struct config *c, struct diags *ds);

#endif
