/*
 * diag_text.h - diagnostics as people read them
 *
 * The layout is OpenTofu's: "Error: summary", where it is, the source lines,
 * the values of the expressions in it, the detail wrapped to the width.  Below
 * the line that is at fault stands a row of carets (in colour the text itself
 * is underlined instead).
 */
#ifndef TFPIPE_UI_DIAG_TEXT_H
#define TFPIPE_UI_DIAG_TEXT_H

#include "lang/snippet.h"

struct text_style {
	bool color;
	unsigned width; /* columns to wrap at; 0: no wrapping */
};

/* Colour and width fit for the descriptor: colour only on a terminal and not
 * with NO_COLOR; 78 columns when it is no terminal. */
struct text_style text_style_for(int fd, bool no_color);

/* One diagnostic; s: its snippet, NULL when the source is not known. */
void diag_text(struct buf *out, const struct diag *d,
	       const struct snippet *s, struct text_style style);

/* All of ds, warnings of one summary beyond the first consolidated as
 * OpenTofu does. */
void diags_text(struct buf *out, const struct diags *ds, struct snippets *ss,
		struct text_style style);

/* What every tool does with its diagnostics when it was not asked for records:
 * the texts on stderr. ss may be NULL. */
void diags_print(const struct diags *ds, const struct sources *ss);

/* Greedy wrapping at spaces as messages have it; lines that begin with a space
 * are left alone. */
void text_wrap(struct buf *out, struct str text, unsigned width);

#endif
