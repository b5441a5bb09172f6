/* diff_text_block_int.h - rendering the differences of blocks */
#ifndef TFPIPE_UI_DIFF_TEXT_BLOCK_INT_H
#define TFPIPE_UI_DIFF_TEXT_BLOCK_INT_H

#include "base/vec.h"
#include "ui/diff/diff.h"

void diff_put_block(struct buf *b, const struct diff *d, unsigned indent,
		    struct diff_style st);
void diff_put_sensitive_block(struct buf *b, const struct diff *d,
			      unsigned indent, struct diff_style st);

#endif
