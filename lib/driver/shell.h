/* shell.h - words as a shell reads and writes them (see driver.h) */
#ifndef TFPIPE_DRIVER_SHELL_H
#define TFPIPE_DRIVER_SHELL_H

#include <stdio.h>
#include "base/opts.h"

/* Splits text into words as a shell does, with quotes and backslashes, but
 * nothing is expanded: $, ` and * are themselves.  Operators that would end a
 * command in a shell (; & | < > and parentheses) are refused where they are not
 * quoted.  Returns NULL, or what is wrong. */
const char *shell_split(struct arena *a, struct str text, struct str_vec *out);
/* Adds word as one word of a shell command. */
void shell_quote(struct buf *out, struct str word);

#endif
