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
/* The members of that record but its address. */
void state_instance_members(struct jw *w, const struct state_resource *r,
			    const struct state_instance *i, bool redact);

#endif
