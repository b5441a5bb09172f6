/* schema_json.h - schemas in the shape that `providers schema -json` has */
#ifndef TFPIPE_PROVIDER_SCHEMA_JSON_H
#define TFPIPE_PROVIDER_SCHEMA_JSON_H

#include "provider/provider.h"

/* The published schema shape (providers schema -json).  Reading: NULL if j does
 * not have that shape; the texts stay in j. */
void schema_block_json(struct jw *w, const struct schema_block *b);
const struct schema_block *schema_block_from_json(struct arena *a,
						  const struct json *j);

#endif
