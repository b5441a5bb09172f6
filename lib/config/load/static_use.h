/* static_use.h - sources of modules, evaluated early again */
#ifndef TFPIPE_CONFIG_STATIC_USE_H
#define TFPIPE_CONFIG_STATIC_USE_H

#include "config/load/load.h"

/* A stage that was given the configuration by another: do the sources and
 * versions of modules mean the same with the values that it goes by?  What
 * cannot be evaluated any more, as a file that is not there, counts as the
 * same.  -1: diagnosed. */
int config_check_sources(struct config *c, const struct config_options *o,
			 struct diags *ds);

#endif
