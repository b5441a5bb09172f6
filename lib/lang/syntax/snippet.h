/*
 * snippet.h - the piece of source text that a diagnostic is shown with
 *
 * The shape is that of `snippet` in the published diagnostic JSON: the lines
 * that the subject (or its context) covers, the subject's place in them, and
 * what is around it: the header of the top-level block, in JSON a path.
 */
#ifndef TFPIPE_LANG_SNIPPET_H
#define TFPIPE_LANG_SNIPPET_H

#include "base/diag.h"

struct snippet {
	struct str context; /* resource "a" "b", or resource.a.b[0];
	                        * STR_NONE: none */
	struct str code;    /* whole lines, without those that are empty
	                        * and the last newline */
	uint32_t start_line;
	uint32_t highlight_start, highlight_end; /* byte offsets in code */
};

/* Remembers the parsed files of a run: a file with a thousand diagnostics is
 * parsed once. */
struct snippets {
	struct arena *arena;
	const struct sources *sources; /* may be NULL */
	struct map bodies; /* file name -> struct body *, internal */
};

/* Cuts the snippet of d into *out.  Returns false when d has no subject or its
 * source is not known.  *shown (may be NULL) gets the range to report: the
 * subject, widened to one character where it is empty. */
bool snippet_cut(struct snippets *ss, const struct diag *d, struct snippet *out,
		 struct range *shown);

#endif
