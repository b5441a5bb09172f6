/*
 * provider_start.h - opening, validating and configuring provider instances,
 * once each, asynchronously; diagnostics of providers
 */
#ifndef TFPIPE_ENGINE_PROVIDER_START_H
#define TFPIPE_ENGINE_PROVIDER_START_H

#include "engine/run/providers.h"

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

#endif
