/*
 * resource_object.h - a resource instance object: as the engine works on it,
 * and as the state holds it
 */
#ifndef TFPIPE_ENGINE_OBJECT_RESOURCE_OBJECT_H
#define TFPIPE_ENGINE_OBJECT_RESOURCE_OBJECT_H

#include "provider/provider.h"
#include "state/state.h"

struct resource_object {
	const struct value *value;    /* NULL: there is none; else marked */
	struct str private_data;      /* raw bytes */
	const struct value *identity; /* may be NULL */
	bool tainted, create_before_destroy, skip_destroy;
	struct str *dependencies;
	size_t ndependencies;
};

/* All that the state holds of an object but its value, whose decoding may take
 * a provider.  Unreadable parts are left out. */
void resource_object_read(struct arena *a, const struct resource_schema *schema,
			  const struct state_instance *si,
			  struct resource_object *out);

/* The reverse: everything in `si` but its place (key, deposed key, provider
 * key).  Nothing write-only gets there. */
void resource_object_write(struct arena *a,
			   const struct resource_schema *schema,
			   const struct resource_object *o,
			   struct state_instance *si);
/* Writes what an object has besides its value. */
void resource_object_write_rest(struct arena *a,
				const struct resource_schema *schema,
				const struct resource_object *o,
				struct state_instance *si);

#endif
