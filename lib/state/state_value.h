/*
 * state_value.h - a state instance's attributes as a value of its schema
 */
#ifndef TFPIPE_STATE_STATE_VALUE_H
#define TFPIPE_STATE_STATE_VALUE_H

#include "schema/objects.h"
#include "state/state.h"

/* Decodes i->attributes by the schema's implied type, with marks from
 * sensitive_attributes and from the schema's sensitive attributes.  NULL when
 * the attributes do not fit the schema. */
const struct value *state_instance_value(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema);
/* v with the marks of i's sensitive_attributes. */
const struct value *state_instance_mark(struct arena *a,
					const struct state_instance *i,
					const struct value *v);

#endif
