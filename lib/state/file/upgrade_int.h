/* upgrade_int.h - states of before version 4 of the format */
#ifndef TFPIPE_STATE_UPGRADE_INT_H
#define TFPIPE_STATE_UPGRADE_INT_H

#include "base/diag.h"

/* The state as version 4 has it, made of one of version 1, 2 or 3, which
 * programs before Terraform 0.12 wrote.  STR_NONE: it cannot be. */
struct str state_upgrade(struct arena *a, struct str text, int version,
			 const char *name, struct diags *ds);

#endif
