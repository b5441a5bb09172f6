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

#include "base/io.h"
#include "base/opts.h"
#include "lang/syntax/snippet.h"

struct text_style {
	bool color;
	unsigned width; /* columns to wrap at; 0: no wrapping */
	bool spaced;    /* each diagnostic is followed by an empty line */
};

/* Colour and width fit for the descriptor: colour on a terminal, if NO_COLOR is
 * not set; or as text_color said.  78 columns when it is no terminal. */
struct text_style text_style_for(int fd, bool no_color);

/* The form of an output in that style. */
enum out_form text_form(struct text_style st);

/* -no-color: turns colour off for all descriptors, in child processes, too. */
void text_no_color(void);
/* -color=when, for those as well: always, never, or auto, which is on a
 * terminal. Empty: it was not given. */
int text_color(struct str when, struct diags *ds);
/* -color and -no-color exclude each other. */
extern const struct opt_group text_color_group;

/* Lines that show a diagnostic's difference (diag.h), or nothing. */
typedef void text_difference_fn(struct buf *out, struct str change, bool color);
/* Sets how differences are shown: for programs that evaluate, or show what
 * others evaluated.  The rest need not link the code. */
void text_differences(text_difference_fn *show);

/* One diagnostic; s: its snippet, NULL when the source is not known. */
void diag_text(struct buf *out, const struct diag *d, const struct snippet *s,
	       struct text_style style);

/* How lists of diagnostics are shown; all zero: as OpenTofu does it. */
struct diag_display {
	bool compact_warnings; /* their summaries, when there are no errors */
	bool each_warning;     /* similar ones, too */
	bool consolidate_errors;
	struct str deprecation; /* shown_diags_deprecated() */
};

/* All of ds in the order of shown_diags_sort.  how may be NULL. */
void diags_text(struct buf *out, const struct diags *ds, struct snippets *ss,
		struct text_style style, const struct diag_display *how);

/* Writes the diagnostics as text to stderr, as every tool does unless asked for
 * records. ss may be NULL. */
void diags_print(const struct diags *ds, const struct sources *ss);

/* Flushes the output of a program, at its end.  -1: something of it could not
 * be written, which standard error tells; a reader who left is no error. */
int diags_written(struct arena *a, struct out *out);

struct shown_diag {
	struct diag diag;
	struct snippet snippet;
	bool has_snippet;
	size_t more;     /* further similar ones that it represents */
	struct str line; /* the record; of a stream only */
	size_t at;       /* shown_diags_sort's own */
};

struct shown_diag_vec VEC_OF(struct shown_diag);

/* Greedy wrapping at spaces as messages have it; lines that begin with a space
 * are left alone. */
void text_wrap(struct buf *out, struct str text, unsigned width);
/* The columns that it is taken to have: a character each. */
size_t text_wrap_columns(struct str s);

/* shown_diag.c: lists of diagnostics: their order, and many as one */

/* As OpenTofu orders them: warnings, then errors, by their place.  *ds becomes
 * a copy. */
void shown_diags_sort(struct arena *a, struct shown_diag_vec *ds);
/* Removes the diagnostics that repeat earlier ones (diag.again). */
void shown_diags_once(struct shown_diag_vec *ds);
/* Keeps the first of similar ones of that severity: those with the same summary
 * that have a place.  Results of checks stay separate. */
void shown_diags_consolidate(struct arena *a, struct shown_diag_vec *ds,
			     enum severity severity);
void shown_diag_text(struct buf *out, const struct shown_diag *d,
		     struct text_style style);
/* Warnings by their summaries: -compact-warnings. */
void shown_diags_compact(struct buf *out, const struct shown_diag_vec *ds,
			 struct text_style style);
/* Keeps one diagnostic per deprecated object; at the level "module:local" only
 * those in modules with local paths, at "module:none" none. */
void shown_diags_deprecated(struct arena *a, struct str level,
			    struct shown_diag_vec *ds);

/* diag_difference.c: what a failed == compares, for its diagnostic */

/* change: an object as in a plan's resource_changes, as JSON text. */
text_difference_fn diag_difference;

#endif
