/* remote_calls_int.h - the calls of a provider, a message each */
#ifndef TFPIPE_PROVIDER_REMOTE_CALLS_INT_H
#define TFPIPE_PROVIDER_REMOTE_CALLS_INT_H

#include "provider/remote_int.h"

/* How a request is called; NULL: not by a call. */
const struct rpc_spec *rpc_spec(const struct provider_request *r);

#endif
