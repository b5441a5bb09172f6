/*
 * schemas.h - the schemas that display needs: those in the stream, or, for a
 * state, which brings none, the providers'
 */
#ifndef TFPIPE_UI_SCHEMAS_H
#define TFPIPE_UI_SCHEMAS_H

#include "provider/provider.h"
#include "provider/source.h"
#include "state/state.h"

/* A map of schemas: "MODE.TYPE@PROVIDER" -> struct resource_schema *. */
void shown_schema_put(struct arena *a, struct map *schemas, struct str mode,
		      struct str type, struct str provider,
		      const struct resource_schema *rs);
/* Of the provider's own configuration; NULL: it is not there. */
const struct schema_block *shown_provider_block(const struct map *schemas,
						struct str provider);
/* NULL: it is not there. */
const struct resource_schema *shown_schema(const struct map *schemas,
					   enum resource_mode mode,
					   struct str type,
					   struct provider_addr provider);

/* Providers opened for their schemas.  Schemas live as long as their providers
 * are open. */
struct opened_providers {
	struct arena *arena;
	struct provider_source *source;
	struct loop *loop;
	struct map by_name; /* address -> struct provider * */
};

#endif
