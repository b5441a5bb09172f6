/*
 * schema_confirm_int.h - is the schema that an earlier run kept still the
 * provider's?
 */
#ifndef TFPIPE_PROVIDER_SCHEMA_CONFIRM_INT_H
#define TFPIPE_PROVIDER_SCHEMA_CONFIRM_INT_H

#include "provider/remote_int.h"

/* Asks the process that was just started, unless it is known. */
void remote_confirm(struct remote_provider *p);
/* Holds an answer back until the process has confirmed the schema. */
bool remote_hold(struct rpc *c, int status, struct str text,
		 struct str message);

#endif
