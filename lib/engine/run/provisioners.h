/*
 * provisioners.h - the contents of provisioner and connection blocks
 *
 * All provisioners: local-exec, file, remote-exec.
 */
#ifndef TFPIPE_ENGINE_RUN_PROVISIONERS_H
#define TFPIPE_ENGINE_RUN_PROVISIONERS_H

#include "schema/schema.h"

/* NULL: there is no such provisioner. */
const struct schema_block *provisioner_schema(struct arena *a, struct str type);
bool provisioner_exists(struct str type);
/* Of any kind of connection. */
const struct schema_block *provisioner_connection_schema(struct arena *a);

/* Checks rules that the schema cannot express; errors have no range. */
void provisioner_check(struct str type, const struct value *config,
		       struct diags *ds);

#endif
