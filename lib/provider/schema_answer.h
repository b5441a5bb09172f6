/*
 * schema_answer.h - the answer to the call for the schema, read field by field;
 * schemas of types are decoded later (schema_proto.h)
 */
#ifndef TFPIPE_PROVIDER_SCHEMA_ANSWER_H
#define TFPIPE_PROVIDER_SCHEMA_ANSWER_H

#include "provider/provider.h"

/* Reads the answers into *out.  The bytes are borrowed as long as *out lives.
 * -1 with diagnostics: the provider's own, or that it is invalid. */
int schema_read(struct arena *a, int protocol, struct str answer,
		struct str identities, struct provider_schema *out,
		struct diags *ds);

#endif
