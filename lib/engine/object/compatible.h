/* compatible.h - is what a provider returned what was planned? */
#ifndef TFPIPE_ENGINE_OBJECT_COMPATIBLE_H
#define TFPIPE_ENGINE_OBJECT_COMPATIBLE_H

#include "engine/object/objchange.h"

/* Is `actual` a completion of `planned`?  Marks are allowed: what is marked
 * sensitive is not shown. */
void object_compatible(struct arena *a, const struct schema_block *b,
		       const struct value *planned, const struct value *actual,
		       struct verror_vec *out);

#endif
