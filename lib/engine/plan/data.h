/*
 * data.h - data sources, while planning
 */
#ifndef TFPIPE_ENGINE_PLAN_DATA_H
#define TFPIPE_ENGINE_PLAN_DATA_H

#include "engine/plan/plan_int.h"

/* Has something that a data source or ephemeral resource waits for changes to
 * come? */
bool job_waits(struct job *j);

#endif
