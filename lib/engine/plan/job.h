/* job.h - the work on one instance, in a slot */
#ifndef TFPIPE_ENGINE_JOB_H
#define TFPIPE_ENGINE_JOB_H

#include "engine/plan/plan_int.h"

void plan_work_queue(struct plan_work *w); /* for a slot for its next item */

#endif
