/* words.h - a command line becomes shell text (see driver_int.h) */
#ifndef TFPIPE_DRIVER_WORDS_H
#define TFPIPE_DRIVER_WORDS_H

#include <stdio.h>

#include "base/opts.h"

/* Returns the exit status when there is nothing left to do, or -1 after writing
 * text for the shell.  Help and the like go to out, errors to err; diagnostics
 * as any command prints them. */
int driver_words(struct arena *a, int argc, char **argv, struct buf *shell,
		 FILE *out, FILE *err);

#endif
