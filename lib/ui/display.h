/*
 * display.h - a stage at a terminal: tf-ui shows what it writes
 *
 * Into pipes and files a stage writes records.  Where its standard output is a
 * terminal, tf-ui is started on that, and reads the records: so a person sees
 * what the tf commands show, and the stage knows nothing of it.
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

/* Starts tf-ui if it is wanted; json: diagnostics were asked for as records,
 * which is no wish for a display.  op: of tf-ui.  Returns the descriptor to
 * write the records to; where there is nothing to start, standard output. */
int display_start(struct arena *a, struct display *d, bool json, const char *op,
		  bool show_sensitive, struct diags *ds);

#endif
