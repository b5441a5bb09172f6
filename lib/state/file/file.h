/* file.h - a state's file and its records */
#ifndef TFPIPE_STATE_FILE_FILE_H
#define TFPIPE_STATE_FILE_FILE_H

#include "state/state.h"

/* state_read.c: the reader of state files, version 4 */

/* Reads a state file's text (version 4; older ones are refused).  text is
 * borrowed: it must live as long as the state. */
struct state *state_parse(struct arena *a, struct str text, const char *name,
			  struct diags *ds);

/* state_write.c: state files written as OpenTofu 1.12.6 writes them */

/* Writes version 4, formatted as OpenTofu writes it (two-space indent, sorted);
 * resources without instances are left out, unless they are kept.
 * terraform_version is always COMPATIBLE_VERSION. state_write_compact: on one
 * line, as `state pull`. */
void state_write(struct buf *out, const struct state *s);
void state_write_compact(struct buf *out, const struct state *s);

/*
 * state_equal.c: do two states have the same content? Serial, lineage and the
 * form of the text apart.
 */

/* Same content apart from serial (decides whether serial goes up). */
bool state_equal_content(const struct state *x, const struct state *y);

/*
 * state_record.c: state as records: `state`, `previous_run_state`,
 * `prior_state`, `previous_output`, `prior_output`, `previous_check`
 * (tf-stream(5)), each written and read
 */

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

/* state_record_read.c: the records of a state, read */

/* 1: not one of these records.  prior_state and prior_output go to `prior`.  So
 * does, unless prior is NULL, everything that `previous` gets, and prior_state
 * replaces it: after the last record prior is the whole prior state.  prior
 * shares texts with previous, so it must not outlive it. */
int state_read_record(struct state *previous, struct state *prior,
		      struct str kind, struct str line, struct diags *ds);

#endif
