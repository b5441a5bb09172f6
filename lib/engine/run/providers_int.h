/* providers_int.h - which object gets which provider instance */
#ifndef TFPIPE_ENGINE_PROVIDERS_INT_H
#define TFPIPE_ENGINE_PROVIDERS_INT_H

#include "engine/run/run.h"

/* A provider of that address nobody uses yet; NULL with a diagnostic. */
struct provider *run_take_process(struct run *r, struct provider_addr p,
				  struct diags *ds);
/* The instance that a call in m means; NULL: none is configured. */
struct run_provider *run_provider_of_call(struct run_module *m,
					  const struct func_of_provider *f,
					  struct provider_addr provider);

#endif
