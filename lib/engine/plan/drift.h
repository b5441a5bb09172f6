/*
 * drift.h - managed objects that are not as, or not where, the state had them
 */
#ifndef TFPIPE_ENGINE_PLAN_DRIFT_H
#define TFPIPE_ENGINE_PLAN_DRIFT_H

#include "engine/plan/plan_int.h"

/* Notes it if the current object at an address changed (now.value is NULL: is
 * gone) or moved. */
void drift_note(struct plan *p, const struct instance_addr *addr,
		const struct provider_config_addr *provider,
		const struct resource_object *was,
		const struct resource_object *now);
/* Notes, after the walk, what moved but was not worked on: left out by a
 * selection, or for errors before it. */
void drift_of_moves(struct plan *p);

#endif
