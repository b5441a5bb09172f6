/* resource_value.h - what references to resources see */
#ifndef TFPIPE_ENGINE_RESOURCE_VALUE_H
#define TFPIPE_ENGINE_RESOURCE_VALUE_H

#include "engine/run/run.h"

/* The value of r as a whole: object, tuple, object of objects. */
const struct value *run_resource_value(struct run_resource *r);
/* One instance, as a reference sees it. */
const struct value *run_instance_value(struct run_instance *i);
/* Sets what references see; v must live in run->arena. */
void run_instance_set(struct run_instance *i, const struct value *v);
/* Decodes an object of the state by its schema; marks from
 * sensitive_attributes and from the schema are added. NULL with a diagnostic
 * when it does not fit. */
const struct value *run_decode_state(struct arena *a,
				     const struct resource_schema *schema,
				     const struct state_instance *i,
				     const struct instance_addr *addr,
				     struct diags *ds);

#endif
