/* ask.h - questions at a terminal, or to whatever is the standard input */
#ifndef TFPIPE_UI_ASK_H
#define TFPIPE_UI_ASK_H

#include "ui/view.h"

struct question {
	const char *query;   /* a line */
	const char *about;   /* what counts as an answer; or NULL */
	bool secret;         /* without an echo, if it is a terminal that
				answers */
	const char *summary; /* of the diagnostic for a missing answer */
};

/* Reads a line of fd into b, byte by byte: later input is left for the next
 * answer.
 * secret: without an echo, if it is a terminal that answers.  Signals that
 * would end the program end the answer first, so that the terminal is put back.
 * Returns 1; 0: the input ended before the line did; -1 with errno. */
int ui_answer(int fd, bool secret, struct buf *b);

/* Reads one line, trimmed; later input is left for the next answer.  -1 with a
 * diagnostic. */
int ui_ask(struct view *v, const struct question *q, struct str *answer,
	   struct diags *ds);

#endif
