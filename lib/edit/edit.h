/*
 * edit.h - lines that a person edits at a terminal, with a history; wraps
 * libedit
 *
 * Only the console has such lines, and libedit loads the library of terminals:
 * so it is linked to edit.so, which the first editor loads (base/dso.h).
 */
#ifndef TFPIPE_EDIT_EDIT_H
#define TFPIPE_EDIT_EDIT_H

struct editor;

/* On standard input and output, in UTF-8 whatever the locale.  name: of the
 * program, as the user's editrc has it.  history: the file in which lines are
 * remembered from run to run; may be NULL.  Returns NULL where lines cannot be
 * edited. */
struct editor *editor_new(const char *name, const char *history);
/* Why there is no line. */
enum editor_end {
	EDITOR_END = 0,      /* Ctrl-D, or the terminal is gone */
	EDITOR_DROPPED = -1, /* Ctrl-C, behind something typed */
	EDITOR_LEFT = -2,    /* Ctrl-C, and nothing had been typed */
};

/* The next line with its newline, valid until the next call, and in *n its
 * length; or NULL and in *n an enum editor_end. */
const char *editor_line(struct editor *e, const char *prompt, int *n);
void editor_free(struct editor *e);

#endif
