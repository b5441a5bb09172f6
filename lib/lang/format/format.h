/*
 * format.h - canonical formatting of native syntax: what `tofu fmt` writes
 */
#ifndef TFPIPE_LANG_FORMAT_H
#define TFPIPE_LANG_FORMAT_H

#include "lang/syntax/parse.h"

/* Formats src into out.  A source with syntax errors is left alone: -1 and
 * diagnostics. */
int format_source(const struct source *src, struct buf *out, struct diags *ds);

#endif
