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

/* On standard input and output.  name: of the program, as the user's editrc has
 * it.  NULL: lines cannot be edited here. */
struct editor *editor_new(const char *name);
/* The next line with its newline, valid until the next call, and in *n its
 * length; NULL at the end. */
const char *editor_line(struct editor *e, const char *prompt, int *n);
void editor_free(struct editor *e);

#endif
