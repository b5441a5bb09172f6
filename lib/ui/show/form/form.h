/*
 * form.h - the forms of a plan beside text and JSON (tf-show(1), FORMS)
 *
 * All of them read the plan by struct entries (form_int.h), so what one form
 * has the others have.  What is alike is folded by one rule (fold.c).
 */
#ifndef TFPIPE_UI_SHOW_FORM_FORM_H
#define TFPIPE_UI_SHOW_FORM_FORM_H

#include "ui/show/show.h"

/* What GitHub lets a comment have; and so much is needed to say anything. */
enum { FORM_MAX_SIZE = 65536, FORM_MIN_SIZE = 2000 };

extern const struct plan_form form_summary, form_flat, form_tsv, form_markdown,
	form_html;

/* -format, -max-size and -show-sensitive of an option table, looked at: *form,
 * unless format is NULL.  -1 after a diagnostic. */
int form_options(const struct str *format, const long *max_size,
		 bool show_sensitive, const struct plan_form **form,
		 struct diags *ds);

#endif
