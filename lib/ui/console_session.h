/*
 * console_session.h - expressions that people or programs give, and what they
 * come to: tf-eval -e, -console and -batch
 *
 * Values are written to e->out; what is wrong with an expression is told before
 * the next one: as text on standard error or, with json, as records.
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

/* Tells what is in e->ds, and forgets it. */
void console_session_diags(struct console_session *s);

enum session_kind {
	SESSION_ONE,   /* one expression */
	SESSION_LINES, /* lines of standard input, until it ends or says exit
			  or, unless it is a terminal, until one is wrong */
	SESSION_BATCH, /* see batch.h; from standard input */
};

/* Loads the configuration, tells what can be told before the first answer, and
 * answers.  Returns whether anything was wrong, which has been told. */
bool console_session_run(struct console_session *s, enum session_kind kind,
			 struct str expr);

#endif
