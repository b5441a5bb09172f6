/*
 * ident.h - what may be a name in the language
 */
#ifndef TFPIPE_LANG_IDENT_H
#define TFPIPE_LANG_IDENT_H

#include <stdbool.h>

#include "base/str.h"

/* Is the whole of s an identifier? */
bool ident_valid(struct str s);

#endif
