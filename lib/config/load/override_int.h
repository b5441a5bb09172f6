/* override_int.h - an override file merged over a module */
#ifndef TFPIPE_CONFIG_OVERRIDE_INT_H
#define TFPIPE_CONFIG_OVERRIDE_INT_H

#include "config/decode/decls_int.h"

/* Merges one override file over m. */
void override_module(struct cfg_module *m, struct decls *of, struct diags *ds);

#endif
