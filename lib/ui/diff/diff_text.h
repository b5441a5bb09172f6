/* diff_text.h - rendering a difference as text */
#ifndef TFPIPE_UI_DIFF_TEXT_H
#define TFPIPE_UI_DIFF_TEXT_H

#include "ui/diff/diff.h"

void diff_render(struct buf *b, const struct diff *d, unsigned indent,
		 struct diff_style st);
/* "  + ", "-/+ " …: three columns. */
void diff_symbol(struct buf *b, enum diff_action a, bool color);
/* name, in quotes where it is no identifier, or always */
struct str diff_escaped_name(struct arena *a, struct str name, bool always);
/* "NAME = ": as many columns as the longest name beside it has bytes, as
 * OpenTofu counts. */
void diff_name(struct buf *b, struct str name, size_t width);

#endif
