/*
 * visible.h - text for people, on its way out
 *
 * What a program writes for people has texts in it that others chose: values,
 * names, messages.  A terminal must obey none of it, so all of it passes here
 * last (struct out does it, by its form): control characters are shown instead,
 * wherever the output goes.  C0 and DEL become their pictures (U+2400), as in
 * OpenTofu's diagnostics; C1 and what turns the direction of text become
 * \uNNNN; bytes that are not UTF-8 become \xNN.  Newlines and tabs stay.
 *
 * Colours of our own are written as PAINT_*, which text cannot contain, and
 * become control sequences only here.
 */
#ifndef TFPIPE_BASE_VISIBLE_H
#define TFPIPE_BASE_VISIBLE_H

#include "base/str.h"

/* A byte that UTF-8 never has, and a letter. */
#define PAINT_MARK '\xff'
#define PAINT_PLAIN "\3770"
#define PAINT_BOLD "\3771"
#define PAINT_FAINT "\3772"
#define PAINT_UNDERLINE "\3774"
#define PAINT_RED "\377r"
#define PAINT_GREEN "\377g"
#define PAINT_YELLOW "\377y"
#define PAINT_CYAN "\377c"
#define PAINT_GREY "\377k"

/* painted: the text may have PAINT_*; else they are shown as any bytes. */
void visible_put(struct buf *out, struct str text, bool painted);
/* A text that is part of one line: newlines and tabs are shown, too. */
void visible_line(struct buf *out, struct str text);
/* What is shown of a text, in the arena; the text itself if it may stand.  Of
 * visible_text newlines and tabs stay. */
struct str visible_text(struct arena *a, struct str text);
struct str visible_word(struct arena *a, struct str text);

#endif
