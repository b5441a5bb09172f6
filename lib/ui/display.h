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
#include "stream/stream.h"

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

/*
 * front.c: what every stage does first and last: its options, its diagnostics,
 * its end record
 */

/* Parses the options of a tool without operands, and changes into the directory
 * that -C put into *dir, if any.  Returns -1: go on; else the exit status,
 * after the errors were printed. */
int front_options(struct arena *a, const struct opts *o, int argc, char **argv,
		  const struct str *dir, struct str_vec *given,
		  struct diags *ds);

/* Reports diagnostics before the stage does its work; none is an error. */
void front_early(struct stream_out *out, const struct diags *ds, bool json,
		 const struct display *display);

/* Ends the stream: diagnostics as records before the end record and, unless
 * json or the display shows them, as text on standard error after it.  sources:
 * whose sources snippets are from; may be NULL.  display: ends, too; may be
 * NULL. Returns whether the stage failed, which it has too when its output
 * cannot be written. */
bool front_end(struct stream_out *out, const char *tool, const struct diags *ds,
	       const struct sources *sources, bool json,
	       struct display *display, bool failed);

#endif
