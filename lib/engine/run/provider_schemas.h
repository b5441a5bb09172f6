/*
 * provider_schemas.h - the schemas of providers, and the processes they are of
 */
#ifndef TFPIPE_ENGINE_RUN_PROVIDER_SCHEMAS_H
#define TFPIPE_ENGINE_RUN_PROVIDER_SCHEMAS_H

#include "engine/run/run.h"

/* The schema of a type; opens (but does not configure) the provider when
 * needed.  NULL with a diagnostic, unless ds is NULL or the failure to open the
 * provider was reported before. */
const struct provider_schema *run_provider_schema(struct run *r,
						  struct provider_addr p,
						  struct diags *ds);
const struct resource_schema *run_resource_schema(struct run *r,
						  struct provider_addr p,
						  const struct resource_addr *t,
						  struct diags *ds);

/* A provider of that address nobody uses yet; NULL with a diagnostic. */
struct provider *run_take_process(struct run *r, struct provider_addr p,
				  struct diags *ds);
#endif
