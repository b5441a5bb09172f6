/*
 * diff_string_int.h - rendering primitive values: strings of one line, of
 * several, and strings that hold JSON
 */
#ifndef TFPIPE_UI_DIFF_STRING_INT_H
#define TFPIPE_UI_DIFF_STRING_INT_H

#include "base/vec.h"
#include "ui/diff/diff.h"

void diff_put_primitive(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st);

#endif
