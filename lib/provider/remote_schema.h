/* remote_schema.h - the schema of a provider process */
#ifndef TFPIPE_PROVIDER_REMOTE_SCHEMA_H
#define TFPIPE_PROVIDER_REMOTE_SCHEMA_H

#include "provider/provider.h"

/* The schema of a type; NULL when there is none, and with a diagnostic (ds may
 * be NULL) when the provider's is invalid. */
const struct resource_schema *provider_resource_schema(
	const struct provider_schema *s, enum resource_mode mode,
	struct str type, struct diags *ds);

#endif
