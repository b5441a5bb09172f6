/*
 * diff_text_int.h - what the parts of difference rendering share
 */
#ifndef TFPIPE_UI_DIFF_TEXT_INT_H
#define TFPIPE_UI_DIFF_TEXT_INT_H

#include "base/vec.h"
#include "ui/diff/diff.h"

/* The style of what is within a value: of which elements it is said that they
 * force replacement, the container decides; what is in those says nothing. */
static inline struct diff_style diff_style_within(struct diff_style st)
{
	st.force_replace = false;
	return st;
}

/* text in a colour, PAINT_*, if there is colour */
void diff_paint(struct buf *b, const char *paint, const char *text, bool color);
/* The beginning of a line: indent and symbol. */
void diff_put_lead(struct buf *b, unsigned indent, enum diff_action a,
		   struct diff_style st);
void diff_put_null_suffix(struct buf *b, enum diff_action a,
			  struct diff_style st);
void diff_put_replace(struct buf *b, bool replace, struct diff_style st);
void diff_put_arrow(struct buf *b, struct diff_style st);
/* "# (3 unchanged attributes hidden)" */
void diff_put_hidden(struct buf *b, unsigned indent, const char *what, size_t n,
		     struct diff_style st);
/* The comments above what becomes, or is no longer, sensitive. */
void diff_put_warnings(struct buf *b, const struct diff *d, unsigned indent,
		       struct diff_style st);
/* "name = value" for each child, a line each; child: their style.  Returns how
 * many are hidden. */
size_t diff_put_members(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st, struct diff_style child);

#endif
