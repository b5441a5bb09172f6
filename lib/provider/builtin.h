/* builtin.h - the built-in provider: terraform.io/builtin/terraform */
#ifndef TFPIPE_PROVIDER_BUILTIN_H
#define TFPIPE_PROVIDER_BUILTIN_H

#include "provider/provider.h"

struct provider;

/* The built-in provider: terraform_data, terraform_remote_state.  delay_ms and
 * shuffle are for tests: completions are delayed and reordered. */
struct provider *provider_builtin_new(struct arena *a, struct loop *loop,
				      unsigned delay_ms, bool shuffle);
/* The provider with the delay that the environment asks for:
 * TFPIPE_TEST_BUILTIN_DELAY=MS[,shuffle], a hook for tests. */
struct provider *provider_builtin_from_env(struct arena *a, struct loop *loop);

#endif
