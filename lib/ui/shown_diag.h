/* shown_diag.h - lists of diagnostics: their order, and many as one */
#ifndef TFPIPE_UI_SHOWN_DIAG_H
#define TFPIPE_UI_SHOWN_DIAG_H

#include "ui/diag_text.h"

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

#endif
