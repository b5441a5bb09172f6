/* builtin_data_int.h - the resource type terraform_data */
#ifndef TFPIPE_PROVIDER_BUILTIN_DATA_INT_H
#define TFPIPE_PROVIDER_BUILTIN_DATA_INT_H

#include "provider/provider.h"

const struct resource_schema *data_resource_schema(struct arena *a);
void data_validate(struct provider_request *r);
void data_upgrade(struct provider_request *r);
void data_plan(struct provider_request *r);
void data_apply(struct provider_request *r);
void data_import(struct provider_request *r);
void data_move(struct provider_request *r);

#endif
