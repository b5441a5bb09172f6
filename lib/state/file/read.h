/* read.h - the reader of state files, version 4 */
#ifndef TFPIPE_STATE_READ_H
#define TFPIPE_STATE_READ_H

#include "state/state.h"

/* Reads a state file's text (version 4; older ones are refused).  text is
 * borrowed: it must live as long as the state. */
struct state *state_parse(struct arena *a, struct str text, const char *name,
			  struct diags *ds);

#endif
