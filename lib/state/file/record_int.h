/* record_int.h - what records and the journal share: the members of an output
 */
#ifndef TFPIPE_STATE_RECORD_INT_H
#define TFPIPE_STATE_RECORD_INT_H

#include "state/state.h"

/* out->value NULL: the output is gone. */
void state_output_members(struct jw *w, const struct state_output *out,
			  bool redact);
struct str state_output_address(struct arena *a, struct str name);

#endif
