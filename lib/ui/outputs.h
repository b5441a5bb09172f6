/*
 * outputs.h - the outputs of a state, as `tofu output` prints them
 */
#ifndef TFPIPE_UI_OUTPUTS_H
#define TFPIPE_UI_OUTPUTS_H

#include "state/state.h"

struct outputs_options {
	bool json, raw, no_color, show_sensitive;
	struct str name; /* one output; empty: all */
};

/* Reads a state from fd, unless st is not NULL, and prints to stdout.  Returns
 * the exit status. */
int outputs_run(struct arena *a, const struct outputs_options *o,
		const struct state *st, int fd, struct diags *ds);

/* name = value, a line each (several for collections). */
void outputs_text(struct buf *b, const struct state *st, bool show_sensitive);

#endif
