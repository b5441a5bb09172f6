/* providers.h - the instances of provider configurations */
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

/*
 * provider_start.c: opening, validating and configuring provider instances,
 * once each, asynchronously; diagnostics of providers
 */

void run_provider_get(struct run *r, struct run_provider *p,
		      run_provider_fn *fn, void *data);
/* Would what is asked of it wait for room, with a limit on processes?  Then
 * work that has not begun gives its slot back, and asks for one again when
 * run_provider_wake calls `again` (never from inside this call). */
bool run_provider_asleep(const struct run *r, const struct run_provider *p);
void run_provider_wake(struct run *r, struct run_provider *p,
		       void (*again)(void *data), void *data);
/* All at once, gracefully or finally. */
void run_providers_stop(struct run *r);
/* Adds a provider's diagnostics: attribute paths become ranges in body (may be
 * NULL), address is added. Returns -1 if there was an error. */
int run_provider_diags(struct diags *ds, const struct provider_request *q,
		       const struct body *body, struct str address);

/*
 * provider_schemas.c: the schemas of providers, and the processes they are of
 */

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
