/*
 * console_input.h - where tf-eval -console reads its lines
 */
#ifndef TFPIPE_UI_CONSOLE_INPUT_H
#define TFPIPE_UI_CONSOLE_INPUT_H

#include <stdbool.h>
#include <stdio.h>

struct console_input {
	bool terminal;         /* has a prompt, and if it can be: */
	struct editor *editor; /* keys and a history */
	char *line;            /* not edited: the last one */
	size_t cap;
};

void console_input_init(struct console_input *in);
/* The next line with its newline; its length, or -1 at the end.  more: an
 * expression is not at its end, which the prompt shows.  0: what was typed
 * was given up, all lines of the expression. */
ssize_t console_input_line(struct console_input *in, bool more,
			   const char **line);
void console_input_release(struct console_input *in);

#endif
