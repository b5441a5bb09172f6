/*
 * state_one.h - one instance of a state, as `state show` prints it
 *
 * Only a schema tells which attributes are secret, so without one they are
 * shown on demand only.
 */
#ifndef TFPIPE_UI_STATE_ONE_H
#define TFPIPE_UI_STATE_ONE_H

#include "provider/source.h"
#include "state/state.h"

struct state_one {
	const struct state *state;
	struct state_resource *resource;
	struct state_instance *instance;
	struct provider_source *source; /* where schemas come from */
	bool json, color, show_sensitive;
};

/* Appends it, with a line break behind it.  -1: diagnosed, and what was
 * appended is of no use. */
int state_one_put(struct arena *a, struct buf *out, const struct state_one *o,
		  struct diags *ds);

#endif
