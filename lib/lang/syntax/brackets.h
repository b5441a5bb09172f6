/* brackets.h - what is still open at the end of a line; see parse.h */
#ifndef TFPIPE_LANG_BRACKETS_H
#define TFPIPE_LANG_BRACKETS_H

#include "lang/syntax/ast.h"
#include "lang/syntax/body.h"

/* Adds to open[] how many brackets of each kind, { [ (, are opened and not
 * closed in text; those in strings do not count.  A console reads lines until
 * none is left. */
void text_brackets(struct str text, int open[3]);

#endif
