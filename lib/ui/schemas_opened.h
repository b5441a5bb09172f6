/* schemas_opened.h - schemas that providers are asked for (see schemas.h) */
#ifndef TFPIPE_UI_SCHEMAS_OPENED_H
#define TFPIPE_UI_SCHEMAS_OPENED_H

#include "ui/schemas.h"

/* NULL after a diagnostic. */
const struct provider_schema *opened_schema(struct opened_providers *o,
					    struct provider_addr p,
					    struct diags *ds);
/* The schemas of all types in a state. */
int opened_state_schemas(struct opened_providers *o, const struct state *st,
			 struct map *schemas, struct diags *ds);
void opened_close(struct opened_providers *o);

#endif
