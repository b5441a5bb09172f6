/*
 * record.h - state as records: `state`, `previous_run_state`, `prior_state`,
 * `previous_output`, `prior_output`, `previous_check` (tf-stream(5)), each
 * written and read
 */
#ifndef TFPIPE_STATE_RECORD_H
#define TFPIPE_STATE_RECORD_H

#include "state/state.h"

/* Records: `state`, `previous_run_state`, `prior_state`, `previous_output`,
 * `prior_output`, `previous_check`. */
void state_records(struct stream_out *o, const struct state *s);
/* value NULL: the output is gone. */
void state_output_record(struct stream_out *o, const char *kind,
			 const struct state_output *out);
void state_instance_record(struct stream_out *o, const char *kind,
			   const struct state_resource *r,
			   const struct state_instance *i);
/* 1: not one of these records.  prior_state and prior_output go to `prior`.  So
 * does, unless prior is NULL, everything that `previous` gets, and prior_state
 * replaces it: after the last record prior is the whole prior state.  prior
 * shares texts with previous, so it must not outlive it. */
int state_read_record(struct state *previous, struct state *prior,
		      struct str kind, struct str line, struct diags *ds);

#endif
