/*
 * relevant_steps_int.h - which part of a resource's configuration a reference
 * to it leads to
 */
#ifndef TFPIPE_ENGINE_RELEVANT_STEPS_INT_H
#define TFPIPE_ENGINE_RELEVANT_STEPS_INT_H

#include "engine/plan/relevant_int.h"

/* The schema of the resource's body, or NULL. */
const struct schema_block *relevant_schema(struct relevant *x,
					   const struct cfg_resource *c);
/* Queues what the part of the resource that r names is made from. */
void relevant_from_resource(struct relevant *x, struct relevant_module *m,
			    const struct reference *r);

#endif
