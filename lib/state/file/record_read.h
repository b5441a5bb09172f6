/* record_read.h - the records of a state, read */
#ifndef TFPIPE_STATE_RECORD_READ_H
#define TFPIPE_STATE_RECORD_READ_H

#include "state/state.h"

/* 1: not one of these records.  prior_state and prior_output go to `prior`.  So
 * does, unless prior is NULL, everything that `previous` gets, and prior_state
 * replaces it: after the last record prior is the whole prior state.  prior
 * shares texts with previous, so it must not outlive it. */
int state_read_record(struct state *previous, struct state *prior,
		      struct str kind, struct str line, struct diags *ds);

#endif
