/* static_int.h - early evaluation of module sources and versions */
#ifndef TFPIPE_CONFIG_STATIC_INT_H
#define TFPIPE_CONFIG_STATIC_INT_H

#include "config/load/loader_int.h"

/* Evaluates the source and version of a call early, and says what
 * is wrong with them. */
void static_call(struct loader *l, struct cfg_call *call);
/* Evaluates early what the call of m passes to its `const` variables. */
void static_constants(struct loader *l, struct cfg_module *m);
/* The same for a provider configuration's for_each or count; the value is not
 * kept. */
void static_provider(struct loader *l, const struct cfg_provider *p);

#endif
