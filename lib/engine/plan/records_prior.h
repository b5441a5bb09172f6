/* records_prior.h - what refreshing and moving made of the previous state */
#ifndef TFPIPE_ENGINE_RECORDS_PRIOR_H
#define TFPIPE_ENGINE_RECORDS_PRIOR_H

#include "engine/plan/plan_int.h"

void plan_write_prior(struct stream_out *o, struct plan *p);

#endif
