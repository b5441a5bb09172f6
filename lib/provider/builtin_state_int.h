/* builtin_state_int.h - the data source terraform_remote_state */
#ifndef TFPIPE_PROVIDER_BUILTIN_STATE_INT_H
#define TFPIPE_PROVIDER_BUILTIN_STATE_INT_H

#include "provider/provider.h"

const struct resource_schema *remote_state_schema(struct arena *a);
void remote_state_validate(struct provider_request *r);

struct remote_states {       /* those that this run has read */
	struct arena *arena; /* of what they have */
	struct loop *loop;   /* goes on while a host is asked */
	struct map known;
};

/* Calls r->done, at once or when somebody else's reading ends. */
void remote_state_read(struct remote_states *all, struct provider_request *r);

#endif
