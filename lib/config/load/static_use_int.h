/* static_use_int.h - what is evaluated early: modules and providers */
#ifndef TFPIPE_CONFIG_STATIC_USE_INT_H
#define TFPIPE_CONFIG_STATIC_USE_INT_H

#include "config/load/loader_int.h"

/* Evaluates the source and version of a call early, and says what
 * is wrong with them. */
void static_call(struct loader *l, struct cfg_call *call);
/* Evaluates a provider configuration's for_each or count early, for what is
 * wrong with it; the value is not kept. */
void static_provider(struct loader *l, const struct cfg_provider *p);

#endif
