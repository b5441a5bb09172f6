/*
 * display.h - a stage at a terminal: tf-ui shows what it writes
 *
 * A stage writes records to pipes and files.  If its standard output is a
 * terminal, it starts tf-ui there, which reads the records: so a person sees
 * the output of the tf commands, and the stage needs no display code.
 */
#ifndef TFPIPE_UI_DISPLAY_H
#define TFPIPE_UI_DISPLAY_H

#include "base/child.h"
#include "base/opts.h"

struct display {
	bool asked, refused; /* -display, -records */
	bool running;
	struct child child;
	/* The stream has ended.  Returns whether diagnostics were shown: not if
	 * the display was killed.  Set where it was started, so that stages
	 * without a display need not know how. */
	bool (*end)(struct display *d);
};

/* Of the two options. */
extern const struct opt_group display_group;

/* Starts tf-ui if it is wanted; json: diagnostics were asked for as records, so
 * no display is started by default.  op: of tf-ui.  Returns the descriptor to
 * write the records to: standard output if nothing is started. */
int display_start(struct arena *a, struct display *d, bool json, const char *op,
		  bool show_sensitive, struct diags *ds);

#endif
