/* normalize.h - objects of legacy-SDK providers, made regular */
#ifndef TFPIPE_ENGINE_OBJECT_NORMALIZE_H
#define TFPIPE_ENGINE_OBJECT_NORMALIZE_H

#include "engine/object/objchange.h"

/* Blocks that a provider of the legacy SDK left null or unknown become empty,
 * or one block of unknown content.  Marks stay. */
const struct value *normalize_legacy_object(struct arena *a,
					    const struct schema_block *b,
					    const struct value *v);

#endif
