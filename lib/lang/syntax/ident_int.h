/* ident_int.h - which characters make an identifier */
#ifndef TFPIPE_LANG_IDENT_INT_H
#define TFPIPE_LANG_IDENT_INT_H

#include "base/source.h"

/* Length of the valid non-ASCII identifier character at s, or 0. */
size_t ident_char(const char *s, size_t n, bool first);

#endif
