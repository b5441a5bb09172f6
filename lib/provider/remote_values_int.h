/* remote_values_int.h - values, identities and the like in messages */
#ifndef TFPIPE_PROVIDER_REMOTE_VALUES_INT_H
#define TFPIPE_PROVIDER_REMOTE_VALUES_INT_H

#include "provider/remote_int.h"

char *rpc_cstr(struct rpc *c, struct str s);
/* The inverse; NULL with an error in the request. */
const struct value *rpc_get(struct rpc *c, const Tfplugin__DynamicValue *v);
const struct value *rpc_get_as(struct rpc *c, const Tfplugin__DynamicValue *v,
			       const struct type *t);
const struct value *rpc_get_identity(struct rpc *c,
				     const Tfplugin__IdentityData *v);
/* An error for each write-only attribute that came back with a value. */
void rpc_check_write_only(struct rpc *c, const struct value *v);
/* An error of the request where the provider put it off, unasked. */
void rpc_check_deferred(struct rpc *c, const Tfplugin__Deferred *d);

#endif
