/*
 * providers_json.h - what a provider says of itself, as published JSON
 */
#ifndef TFPIPE_UI_PROVIDERS_JSON_H
#define TFPIPE_UI_PROVIDERS_JSON_H

#include "provider/provider.h"

/* One member of "provider_schemas".  Types whose schema makes no sense are left
 * out, with a diagnostic. */
void provider_schema_json(struct jw *w, const struct provider_schema *s,
			  struct diags *ds);

#endif
