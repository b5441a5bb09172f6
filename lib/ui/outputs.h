/* outputs.h - the outputs of a state, as `tofu output` prints them */
#ifndef TFPIPE_UI_OUTPUTS_H
#define TFPIPE_UI_OUTPUTS_H

#include "state/state.h"
#include "provider/provider.h"
#include "provider/source.h"

struct outputs_options {
	bool json, raw, no_color, show_sensitive;
	struct str name; /* one output; empty: all */
};

/* Reads a state from fd, unless st is not NULL, and prints to stdout.  Returns
 * the exit status. */
int outputs_run(struct arena *a, const struct outputs_options *o,
		const struct state *st, int fd, struct diags *ds);

/*
 * shown_schema.c: the schemas that display needs: those in the stream, or, for
 * a state, which brings none, the providers'
 */

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

/* opened_schema.c: schemas that providers are asked for (see shown_schema.c) */

/* NULL after a diagnostic. */
const struct provider_schema *opened_schema(struct opened_providers *o,
					    struct provider_addr p,
					    struct diags *ds);
/* The schemas of all types in a state. */
int opened_state_schemas(struct opened_providers *o, const struct state *st,
			 struct map *schemas, struct diags *ds);
void opened_close(struct opened_providers *o);

#endif
