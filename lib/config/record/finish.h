/* finish.h - a configuration whose records were all read */
#ifndef TFPIPE_CONFIG_FINISH_H
#define TFPIPE_CONFIG_FINISH_H

#include "config/config.h"

/* Resolves references between the objects; -1 after errors. */
int config_finish(struct config *c, struct diags *ds);

#endif
