/*
 * records.h - the parts of plan_write
 */
#ifndef TFPIPE_ENGINE_PLAN_RECORDS_H
#define TFPIPE_ENGINE_PLAN_RECORDS_H

#include "engine/plan/plan_int.h"
#include "engine/run/run.h"

/* All records of tf-plan but diagnostics. */
void plan_write(struct stream_out *o, struct plan *p);
/* Is there anything to apply? */
bool plan_has_changes(const struct plan *p);

#endif
