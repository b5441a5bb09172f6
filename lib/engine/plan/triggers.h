/*
 * triggers.h - lifecycle { replace_triggered_by }
 */
#ifndef TFPIPE_ENGINE_PLAN_TRIGGERS_H
#define TFPIPE_ENGINE_PLAN_TRIGGERS_H

#include "engine/plan/plan_int.h"

/* Does replace_triggered_by ask for a replacement? */
bool job_triggered(struct job *j);

#endif
