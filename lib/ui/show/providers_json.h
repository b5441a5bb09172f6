/*
 * providers_json.h - what providers say of themselves, as published JSON
 */
#ifndef TFPIPE_UI_PROVIDERS_JSON_H
#define TFPIPE_UI_PROVIDERS_JSON_H

#include "install/providers/requirements.h"
#include "ui/schemas.h"

/* All of `providers schema -json`: of each that is required, opened for it.
 * -1: diagnosed, and w is of no use. */
int providers_json(struct jw *w, const struct requirement_vec *reqs,
		   struct opened_providers *opened, struct diags *ds);
/* One member of "provider_schemas".  Types whose schema makes no sense are left
 * out, with a diagnostic. */
void provider_schema_json(struct jw *w, const struct provider_schema *s,
			  struct diags *ds);

#endif
