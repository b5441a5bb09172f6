/*
 * front.h - what every stage does first and last: its options, its diagnostics,
 * its end record
 */
#ifndef TFPIPE_UI_FRONT_H
#define TFPIPE_UI_FRONT_H

#include "base/opts.h"
#include "stream/stream.h"
#include "ui/display.h"

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
