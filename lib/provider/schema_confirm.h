/*
 * schema_confirm.h - is the schema that an earlier run kept still the
 * provider's?
 */
#ifndef TFPIPE_PROVIDER_SCHEMA_CONFIRM_H
#define TFPIPE_PROVIDER_SCHEMA_CONFIRM_H

#include "provider/provider.h"

struct provider_source;

/* Waits until every provider that was opened, and of which a kept schema was
 * used, has said whether it is still so (src->changed).  -1 with
 * diagnostics. */
int provider_source_confirm(struct provider_source *src, struct loop *loop,
			    struct diags *ds);
/* Do two answers say the same, in whatever order their parts are? */
bool schema_answer_same(struct str x, struct str y);

#endif
