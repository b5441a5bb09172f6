/*
 * refresh.h - an object of the state, as it was and as it is
 */
#ifndef TFPIPE_ENGINE_PLAN_REFRESH_H
#define TFPIPE_ENGINE_PLAN_REFRESH_H

#include "engine/plan/plan_int.h"

/* Reports unknown values in an object that was read; false: there are none. */
bool job_read_unknown(struct job *j, const struct value *v);
/* Notes what differs from the previous state, and drift. */
void job_note_state(struct job *j);

#endif
