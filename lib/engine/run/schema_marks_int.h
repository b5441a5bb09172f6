/*
 * schema_marks_int.h - marks by the schema on the values that references see
 */
#ifndef TFPIPE_ENGINE_SCHEMA_MARKS_INT_H
#define TFPIPE_ENGINE_SCHEMA_MARKS_INT_H

#include "engine/run/run.h"

/* v as references see it: deprecated attributes are marked. */
const struct value *run_resource_as_seen(struct run_resource *rr,
					 const struct value *v);

#endif
