/*
 * flatmap.h - attributes as states before version 4 have them
 *
 * An object of strings: "name" for what is primitive, "list.#" with "list.0"
 * and so on, "map.%" with "map.key", "set.#" with a hash for each element,
 * "set.123", and a member of an object after a dot (OpenTofu:
 * internal/legacy/hcl2shim).
 */
#ifndef TFPIPE_STATE_FLATMAP_H
#define TFPIPE_STATE_FLATMAP_H

#include "json/json.h"
#include "value/type.h"

/* The attributes as JSON of an object type, in the arena; what is not there is
 * null, and so is what was unknown.  NULL when a count is none, or when the
 * type holds a dynamic one, which this form cannot express. */
const struct json *flatmap_json(struct arena *a, const struct json *flat,
				const struct type *t);

#endif
