/* storable.h - what is unknown may not be stored: replaced by null */
#ifndef TFPIPE_ENGINE_OBJECT_STORABLE_H
#define TFPIPE_ENGINE_OBJECT_STORABLE_H

#include "engine/object/objchange.h"

/* v with null for all that is unknown, whose paths are added to `found`. */
const struct value *value_without_unknown(struct arena *a,
					  const struct value *v,
					  struct path_vec *found);

#endif
