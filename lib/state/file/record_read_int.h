/* record_read_int.h - the records of a state, read */
#ifndef TFPIPE_STATE_RECORD_READ_INT_H
#define TFPIPE_STATE_RECORD_READ_INT_H

#include "state/state.h"

/* The resource that an instance address belongs to, made when it is new; *key
 * gets the instance key. NULL after a diagnostic. */
struct state_resource *state_find_or_make(struct state *s, struct str address,
					  struct inst_key *key,
					  struct diags *ds);

#endif
