/* builtin_int.h - the parts of the built-in provider */
#ifndef TFPIPE_PROVIDER_BUILTIN_INT_H
#define TFPIPE_PROVIDER_BUILTIN_INT_H

#include "lang/eval/eval.h"
#include "provider/provider.h"

/* The one schema, made on first use in `a` (a provider's arena lives as long
 * as what it made). */
const struct provider_schema *builtin_schema(struct arena *a);

const struct resource_schema *data_resource_schema(struct arena *a);
void data_validate(struct provider_request *r);
void data_upgrade(struct provider_request *r);
void data_plan(struct provider_request *r);
void data_apply(struct provider_request *r);
void data_import(struct provider_request *r);
void data_move(struct provider_request *r);

const struct resource_schema *remote_state_schema(struct arena *a);
void remote_state_validate(struct provider_request *r);
void remote_state_read(struct provider_request *r);

void builtin_functions(struct arena *a, struct map *out);

#endif
