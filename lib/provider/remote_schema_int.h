/* remote_schema_int.h - the schema of a provider process */
#ifndef TFPIPE_PROVIDER_REMOTE_SCHEMA_INT_H
#define TFPIPE_PROVIDER_REMOTE_SCHEMA_INT_H

#include "provider/remote_int.h"

/* The schema, from the process.  -1 with diagnostics. */
int remote_schema(struct remote_provider *p, struct diags *ds);
/* Requests it and drops the answer: some providers need to be asked. */
void remote_ask_schema(struct remote_provider *p);
/* Asks without waiting; got is called with the answers, or with NULL where
 * there are none. */
void remote_ask_answers(struct remote_provider *p,
			void (*got)(struct known *k,
				    const struct schema_answers *x));
/* Decodes the schema from the answers of a process.  -1 with diagnostics. */
int remote_take_schema(struct known *k, const struct schema_answers *x,
		       struct diags *ds);

#endif
