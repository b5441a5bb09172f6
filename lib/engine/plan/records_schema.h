/* records_schema.h - the schemas in use, as records */
#ifndef TFPIPE_ENGINE_RECORDS_SCHEMA_H
#define TFPIPE_ENGINE_RECORDS_SCHEMA_H

#include "engine/plan/plan_int.h"

void plan_write_schemas(struct stream_out *o, struct plan *p);

#endif
