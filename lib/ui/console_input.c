/*
 * console_input.c - lines for the console: edited, with a history, at a
 * terminal; else as they come
 */
#include "ui/console_input.h"

#include <stdlib.h>
#include <unistd.h>

#include "edit/edit.h"

void console_input_init(struct console_input *in)
{
	*in = (struct console_input){ .line = NULL };
	in->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (in->terminal)
		in->editor = editor_new("tf-eval");
}

ssize_t console_input_line(struct console_input *in, bool more,
			   const char **line)
{
	const char *prompt = more ? ": " : "> ";
	int n = 0;

	if (in->editor) {
		*line = editor_line(in->editor, prompt, &n);
		return *line ? n : -1;
	}
	if (in->terminal) {
		fputs(prompt, stdout);
		fflush(stdout);
	}
	n = (int)getline(&in->line, &in->cap, stdin);
	*line = in->line;
	return n;
}

void console_input_release(struct console_input *in)
{
	editor_free(in->editor);
	free(in->line);
	*in = (struct console_input){ .line = NULL };
}
