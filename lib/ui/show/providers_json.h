/*
 * providers_json.h - what providers offer, as published JSON
 */
#ifndef TFPIPE_UI_PROVIDERS_JSON_H
#define TFPIPE_UI_PROVIDERS_JSON_H

#include "config/config.h"
#include "json/write.h"
#include "provider/provider.h"
#include "state/state.h"

/* All of `providers schema -json`: of each provider that the configuration or
 * the state requires, started for it.  Appends nothing where it returns -1,
 * after diagnostics. */
int providers_json(struct arena *a, struct buf *out, const struct config *c,
		   const struct state *st, struct diags *ds);
/* One member of "provider_schemas".  Types whose schema makes no sense are left
 * out, with a diagnostic. */
void provider_schema_json(struct jw *w, const struct provider_schema *s,
			  struct diags *ds);

#endif
