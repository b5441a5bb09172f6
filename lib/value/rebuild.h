/* rebuild.h - composites with other elements */
#ifndef TFPIPE_VALUE_REBUILD_H
#define TFPIPE_VALUE_REBUILD_H

#include "value/value.h"

/* An object of type t; if an element has another type than t says, an object of
 * another type with the names of t. */
const struct value *value_object_like(struct arena *a, const struct type *t,
				      const struct value *const *elems);
/* A composite like v, marks included, with as many other elements. */
const struct value *value_rebuild(struct arena *a, const struct value *v,
				  const struct value *const *elems);
/* A composite like v with other elements, in which a set or list becomes a
 * tuple and a map an object: so the elements of a set keep marks and types of
 * their own. */
const struct value *value_rebuild_loose(struct arena *a, const struct value *v,
					const struct value *const *elems);

#endif
