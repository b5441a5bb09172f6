/* config_providers_int.h - `provider_config` of the published configuration */
#ifndef TFPIPE_UI_CONFIG_PROVIDERS_INT_H
#define TFPIPE_UI_CONFIG_PROVIDERS_INT_H

#include "ui/show/config_json_int.h"

/* The provider configurations of all modules, written or implied. */
void config_providers_collect(struct config_providers *ps, struct arena *a,
			      const struct config *c);
/* `provider_config`: those that no parent has. */
void config_providers_json(struct jw *w, struct arena *a,
			   const struct config_providers *ps,
			   const struct map *schemas);
/* The key of the one that a resource uses. */
struct str config_provider_key(const struct config_providers *ps,
			       struct arena *a, const struct cfg_resource *r);

#endif
