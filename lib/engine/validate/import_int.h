/* import_int.h - the validate walk at import blocks */
#ifndef TFPIPE_ENGINE_IMPORT_INT_H
#define TFPIPE_ENGINE_IMPORT_INT_H

#include "engine/validate/validate_int.h"

/* Import blocks that lead to c. */
void validate_imports(struct visit *x, const struct cfg_resource *c,
		      const struct resource_schema *schema);

#endif
