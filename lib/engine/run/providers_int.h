/* providers_int.h - which object gets which provider instance */
#ifndef TFPIPE_ENGINE_PROVIDERS_INT_H
#define TFPIPE_ENGINE_PROVIDERS_INT_H

#include "engine/run/run.h"

/* The instance that a call in m means; NULL: none is configured. */
struct run_provider *run_provider_of_call(struct run_module *m,
					  const struct func_of_provider *f,
					  struct provider_addr provider);

#endif
