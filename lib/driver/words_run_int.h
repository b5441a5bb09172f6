/* words_run_int.h - the commands whose options tf parses itself */
#ifndef TFPIPE_DRIVER_WORDS_RUN_INT_H
#define TFPIPE_DRIVER_WORDS_RUN_INT_H

#include "driver/words_int.h"

/* Adds a space and the word, quoted. */
void shell_word(struct buf *out, struct str word);
/* name=value, for the script alone. */
void words_assign(struct words *w, const char *name, struct str value);
/* name=value, in the script's environment. */
void words_export(struct words *w, const char *name, struct str value);
/* A command of the table in run_options.h.  -1: go on with the text; 0: done;
 * 1: failed, with diagnostics. */
int words_run(struct words *w);
/* Does the environment not forbid it (TF_INPUT)? */
bool words_may_ask(void);
/* A program that parses its words itself, and needs answers to begin with. */
void words_asking(struct words *w);
/* The words sorted by stage. */
void words_release(struct words *w);

#endif
