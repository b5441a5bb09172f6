/*
 * console.h - expressions from outside, evaluated in the scope of a run
 *
 * Shared by the console, tf-eval -e and tf-eval -batch.  As in OpenTofu all
 * references of an expression are checked before it is evaluated, those in
 * parts that do not count as well.
 */
#ifndef TFPIPE_ENGINE_STAGE_CONSOLE_H
#define TFPIPE_ENGINE_STAGE_CONSOLE_H

#include <stdio.h>

#include "engine/run/run.h"
#include "base/io.h"

/* The file name in the ranges of an expression. */
#define CONSOLE_INPUT "<console-input>"

/* Root variables that are required and were not given become unknown values of
 * their type instead of errors. */
void console_unknown_inputs(struct run *r);

/* Evaluates text, an expression, in this instance of a module; the value lives
 * in a.  NULL after errors. */
const struct value *console_eval(struct arena *a, struct run_module *m,
				 struct str text, struct diags *ds);

/* The value as the console prints it (the result of type() is a type).  Adds
 * to b; returns -1 with a diagnostic for a value that cannot be printed. */
int console_render(struct arena *a, struct buf *b, const struct value *v,
		   struct diags *ds);

/* One answer of a batch: a JSON object on one line, newline included. */
void console_answer(struct arena *a, struct run_module *m, struct buf *out,
		    struct str id, struct str expr);

/* Gathers lines of input to expressions: an expression goes on while a bracket
 * is open, or after a backslash at the end of the line. */
struct console_lines {
	struct buf text; /* lines so far */
	int open[3];     /* brackets, by kind */
};
/* Adds a line (without its newline).  Returns true when l->text is an
 * expression; empty it with console_lines_clear before the next. */
bool console_lines_add(struct console_lines *l, struct str line);
void console_lines_clear(struct console_lines *l);

/*
 * batch.c: tf-eval -batch: expressions as JSON lines, {"id","expr"}, and
 * answers as JSON lines
 */

/* Answers every line of in; the last of the answers may still be in out.  -1
 * after a diagnostic about a line that is none of these. */
int batch_answer(struct run_module *m, FILE *in, struct out *out,
		 struct diags *ds);

#endif
