/*
 * resource_object.h - a resource instance object: as the engine works on it,
 * and as the state holds it
 */
#ifndef TFPIPE_ENGINE_OBJECT_RESOURCE_OBJECT_H
#define TFPIPE_ENGINE_OBJECT_RESOURCE_OBJECT_H

#include "provider/provider.h"
#include "state/state.h"
#include "engine/object/objchange.h"

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

/* storable.c: what is unknown may not be stored: replaced by null */

/* v with null for all that is unknown, whose paths are added to `found`. */
const struct value *value_without_unknown(struct arena *a,
					  const struct value *v,
					  struct path_vec *found);

/*
 * tolerated.c: logs the broken rules that providers are excused for
 *
 * Providers of the legacy SDK cannot keep some rules, and no provider is held
 * to what it reads: users are not bothered, but the log (TF_LOG, level WARN)
 * shows the possible cause of a later error.
 */

/* Does anybody read the log? Finding out what to say costs time. */
bool tolerated_logged(void);
/* One line; nothing if there is nothing wrong. what: "an invalid plan for". */
void tolerated_log(struct arena *a, struct str provider, const char *what,
		   struct str address, const char *why,
		   const struct verror_vec *wrong);

extern const char tolerated_legacy[]; /* a reason why */

#endif
