/*
 * dropped.h - attributes of object constructors that conversion to a variable's
 * type leaves out
 */
#ifndef TFPIPE_CONFIG_DROPPED_H
#define TFPIPE_CONFIG_DROPPED_H

#include "config/config.h"

/* Warns of attributes of object constructors that the type does not have
 * ("Object attribute is ignored"); what: whose type it is. */
void config_warn_dropped(struct expression e, const struct type *t,
			 const char *what, struct diags *ds);

#endif
