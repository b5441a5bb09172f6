/*
 * console_session.h - answers expressions that people or programs give: tf-eval
 * -e, -console and -batch
 *
 * Values are written to e->out; the diagnostics of an expression are written
 * before the next value: as text on standard error or, with json, as records.
 */
#ifndef TFPIPE_UI_CONSOLE_SESSION_H
#define TFPIPE_UI_CONSOLE_SESSION_H

#include "engine/stage/eval_steps.h"
#include "ui/diag_text.h"

struct console_session {
	struct eval_steps *e; /* e->run is open when expressions are given */
	bool json, no_color;
	struct diag_display display;
};

/* Writes the diagnostics in e->ds and clears them. */
void console_session_diags(struct console_session *s);

enum session_kind {
	SESSION_ONE,   /* one expression */
	SESSION_LINES, /* lines of standard input, until it ends or says exit
			  or, unless it is a terminal, until one is wrong */
	SESSION_BATCH, /* see batch.c; from standard input */
};

/* Loads the configuration, writes its diagnostics, and answers.  Returns
 * whether anything failed; errors have been written. */
bool console_session_run(struct console_session *s, enum session_kind kind,
			 struct str expr);

#endif
