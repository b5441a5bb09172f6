/*
 * records.h - the parts of plan_write
 */
#ifndef TFPIPE_ENGINE_PLAN_RECORDS_H
#define TFPIPE_ENGINE_PLAN_RECORDS_H

#include "engine/plan/plan_int.h"

void plan_write_schemas(struct stream_out *o, struct plan *p);
void plan_write_prior(struct stream_out *o, struct plan *p);

#endif
