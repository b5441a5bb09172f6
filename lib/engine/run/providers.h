/*
 * providers.h - the instances of provider configurations
 */
#ifndef TFPIPE_ENGINE_RUN_PROVIDERS_H
#define TFPIPE_ENGINE_RUN_PROVIDERS_H

#include "engine/run/run.h"

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
/* Expands all configurations, whether something uses them or not: what is wrong
 * with their keys is told before anything else is done. */
int run_provider_keys(struct run *r, struct diags *ds);
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
