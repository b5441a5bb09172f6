/* static.h - early evaluation of module sources and versions */
#ifndef TFPIPE_CONFIG_STATIC_H
#define TFPIPE_CONFIG_STATIC_H

#include "config/load/load.h"

/* Evaluates an expression of the root module early, one of the block at `at`
 * (backend arguments).  NULL after a diagnostic, or when a variable's value is
 * not known. */
const struct value *config_static_value(
	struct config *c, const struct config_options *o, struct expression e,
	const char *subject, const struct range *at, struct diags *ds);

#endif
