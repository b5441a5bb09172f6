/* functions_int.h - the functions that expressions can call */
#ifndef TFPIPE_ENGINE_FUNCTIONS_INT_H
#define TFPIPE_ENGINE_FUNCTIONS_INT_H

#include "engine/run/run.h"

/* Functions by name: built-in ones and those of providers. */
const struct func *run_function(struct run_scope *s, struct str name);
struct str run_function_name(void *data, size_t i);
/* Does the module require a provider of this local name? */
bool run_has_provider(void *data, struct str local_name);

#endif
