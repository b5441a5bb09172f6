/* config_json_int.h - what the files of config_json share */
#ifndef TFPIPE_UI_CONFIG_JSON_INT_H
#define TFPIPE_UI_CONFIG_JSON_INT_H

#include "ui/show.h"

/* The attributes of a body whose schema is not known, as `expressions`. */
void config_attributes_json(struct jw *w, const struct body *body);

/* --- config_providers.c --- */

struct config_providers {
	struct map entries; /* key -> struct provider_entry * */
};

/* The provider configurations of all modules, written or implied. */
void config_providers_collect(struct config_providers *ps, struct arena *a,
			      const struct config *c);
/* `provider_config`: those that no parent has. */
void config_providers_json(struct jw *w, struct arena *a,
			   const struct config_providers *ps);
/* The key of the one that a resource uses. */
struct str config_provider_key(const struct config_providers *ps,
			       struct arena *a, const struct cfg_resource *r);

#endif
