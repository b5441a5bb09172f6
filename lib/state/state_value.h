/*
 * state_value.h - a state instance's attributes as a value of its schema
 *
 * Of an instance that has attributes_flat instead, those (state/flatmap.h).
 */
#ifndef TFPIPE_STATE_STATE_VALUE_H
#define TFPIPE_STATE_STATE_VALUE_H

#include "schema/objects.h"
#include "state/state.h"

/* Decodes i->attributes by the schema's implied type, with marks from
 * sensitive_attributes and from the schema's sensitive attributes.  Attributes
 * that the schema does not have, as another version of the provider may have
 * stored them, are left out.  NULL when the others do not fit the schema. */
const struct value *state_instance_value(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema);
/* The instance's object as it is published (schema_mark_published).  Of a
 * deposed object a set is sensitive as a whole, as in OpenTofu. */
const struct value *state_instance_published(struct arena *a,
					     const struct state_instance *i,
					     const struct schema_block *schema);
/* As the JSON has it, without a schema, marked by sensitive_attributes.  NULL
 * where it is no JSON. */
const struct value *state_instance_as_written(struct arena *a,
					      const struct state_instance *i);
/* Why state_instance_value is NULL: "a number is required". */
struct str state_instance_misfit(struct arena *a,
				 const struct state_instance *i,
				 const struct schema_block *schema);
/* The instance's value; NULL, too, when an attribute is none of the schema's.
 */
const struct value *state_instance_exact(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema);
/* The JSON text of attributes without those that the schema does not have, at
 * any depth except inside dynamic values; the text itself, not a copy, when it
 * has no others or is not JSON.  OpenTofu: stripRemovedStateAttributes. */
struct str state_attributes_fitting(struct arena *a, struct str attributes,
				    const struct schema_block *schema);
/* v with the marks of i's sensitive_attributes. */
const struct value *state_instance_mark(struct arena *a,
					const struct state_instance *i,
					const struct value *v);

#endif
