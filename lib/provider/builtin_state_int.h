/* builtin_state_int.h - the data source terraform_remote_state */
#ifndef TFPIPE_PROVIDER_BUILTIN_STATE_INT_H
#define TFPIPE_PROVIDER_BUILTIN_STATE_INT_H

#include "provider/provider.h"

const struct resource_schema *remote_state_schema(struct arena *a);
void remote_state_validate(struct provider_request *r);
void remote_state_read(struct provider_request *r);

#endif
