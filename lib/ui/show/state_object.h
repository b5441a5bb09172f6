/*
 * state_object.h - the values of a state's objects, to be shown
 *
 * Only a schema tells which attributes are secret, so what has none, or does
 * not fit it, is not shown: not as JSON either, whose readers count on the
 * types of the schema.
 */
#ifndef TFPIPE_UI_SHOW_STATE_OBJECT_H
#define TFPIPE_UI_SHOW_STATE_OBJECT_H

#include "state/state.h"
#include "ui/schemas.h"

struct state_objects {
	struct arena *arena;
	const struct map *schemas; /* as in struct shown */
	bool any;        /* objects without a schema, or that do not fit it,
			   have the types of their JSON */
	bool schemaless; /* those without a schema have them, and are sensitive
			    as a whole */
	struct str why;  /* why the first object has no value */
};

/* The value of an object, marked, in a.  *schema: NULL where it is not by one.
 * NULL, with o->why in o->arena, when the object cannot be shown. */
const struct value *state_object(struct state_objects *o, struct arena *a,
				 const struct state_resource *r,
				 const struct state_instance *i,
				 const struct resource_schema **schema);

#endif
