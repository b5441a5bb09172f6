/*
 * static_names_int.h - path.* and terraform.* in early evaluation; see
 * static.c
 */
#ifndef TFPIPE_CONFIG_STATIC_NAMES_INT_H
#define TFPIPE_CONFIG_STATIC_NAMES_INT_H

#include "config/load/loader_int.h"

/* path.NAME of a module, terraform.NAME. */
const struct value *static_path(struct loader *l, const struct cfg_module *m,
				struct str name, const struct range *at,
				struct diags *ds);
const struct value *static_terraform(struct loader *l, struct str name,
				     const struct range *at, struct diags *ds);

#endif
