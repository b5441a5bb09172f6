/* builtin_int.h - the parts of the built-in provider */
#ifndef TFPIPE_PROVIDER_BUILTIN_INT_H
#define TFPIPE_PROVIDER_BUILTIN_INT_H

#include "lang/eval/eval.h"
#include "provider/provider.h"

/* The schema of the built-in provider, made on first use in `a` (a provider's
 * arena lives as long as what it made). */
const struct provider_schema *builtin_schema(struct arena *a);

#endif
