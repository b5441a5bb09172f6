/*
 * console_session.h - expressions that people give, and what they come to:
 * tf-eval -e and -console
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
/* Answers one expression; errors are in e->ds, and told of with the text, which
 * is in a: it is released after that. */
void console_session_answer(struct console_session *s, struct arena *a,
			    struct str expr);
/* Answers lines of the standard input until it ends or says exit, or, unless it
 * is a terminal, until one is wrong: that is -1. */
int console_session_lines(struct console_session *s);

#endif
