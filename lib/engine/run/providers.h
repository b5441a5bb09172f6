/*
 * providers.h - the instances of provider configurations, and schemas
 */
#ifndef TFPIPE_ENGINE_RUN_PROVIDERS_H
#define TFPIPE_ENGINE_RUN_PROVIDERS_H

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

/* Finds the provider instance for this instance: evaluates provider =
 * aws[each.key], looks the configuration up.  NULL with a diagnostic. */
struct run_provider *run_provider_for(struct run_module *m,
				      const struct cfg_resource *c,
				      const struct repetition *rep,
				      struct diags *ds);
/* The instance `key` of a configuration, by its absolute address (key in it
 * ignored); config NULL: implied. Diagnoses "Provider instance not present" in
 * the name of `user`, an instance (deposed: empty, or its deposed key). */
struct run_provider *run_provider_at(struct run *r,
				     const struct provider_config_addr *addr,
				     const struct cfg_provider *config,
				     struct inst_key key, struct str user,
				     struct str deposed, struct diags *ds);
/* Which instances a configuration of m has. */
const struct expansion *run_provider_expansion(struct run_module *m,
					       const struct cfg_provider *p,
					       struct diags *ds);
/* All instances of a configuration; *failed when it cannot be expanded. */
void run_provider_instances(struct run *r,
			    const struct provider_config_addr *addr,
			    const struct cfg_provider *config,
			    struct run_provider_vec *out, bool *failed,
			    struct diags *ds);

/* Opens, validates and configures p once, then calls fn (never from inside
 * this call); p->state is PROVIDER_READY or PROVIDER_FAILED. */
typedef void run_provider_fn(void *data, struct run_provider *p);

#endif
