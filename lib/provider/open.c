/* open.c - finding the provider for an address */
#include "provider/provider.h"

struct provider *provider_open(struct arena *a, struct loop *loop,
			       struct provider_source *src,
			       struct provider_addr addr, struct diags *ds)
{
	(void)src;
	if (provider_addr_equal(addr, provider_builtin))
		return provider_builtin_from_env(a, loop);
	diag_error(ds, NULL, "Missing required provider",
		   "The provider %.*s is not installed.",
		   STR_ARG(provider_addr_text(a, addr)));
	return NULL;
}
