/*
 * console_input.c - lines for the console: edited, with a history, at a
 * terminal (libedit); else as they come
 */
#include "tools/console_input.h"

#include <histedit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


enum { HISTORY = 1000 };

static char *prompt(EditLine *el)
{
	static char first[] = "> ", more[] = ": ";
	struct console_input *in;

	el_get(el, EL_CLIENTDATA, &in);
	return in->more ? more : first;
}

void console_input_init(struct console_input *in)
{
	HistEvent ev;

	*in = (struct console_input){ .edited = isatty(STDIN_FILENO) &&
						isatty(STDOUT_FILENO) };
	if (!in->edited)
		return;
	in->history = history_init();
	in->el = el_init("tf-eval", stdin, stdout, stderr);
	if (!in->el || !in->history) {
		console_input_release(in);
		return;
	}
	history(in->history, &ev, H_SETSIZE, HISTORY);
	history(in->history, &ev, H_SETUNIQUE, 1);
	el_set(in->el, EL_CLIENTDATA, in);
	el_set(in->el, EL_PROMPT, prompt);
	el_set(in->el, EL_EDITOR, "emacs");
	el_set(in->el, EL_SIGNAL, 1);
	el_set(in->el, EL_HIST, history, in->history);
	el_source(in->el, NULL); /* the user's editrc */
}

ssize_t console_input_line(struct console_input *in, bool more,
			   const char **line)
{
	HistEvent ev;
	int n = 0;

	in->more = more;
	if (!in->edited) {
		ssize_t got = getline(&in->line, &in->cap, stdin);

		*line = in->line;
		return got;
	}
	*line = el_gets(in->el, &n);
	if (!*line || n <= 0)
		return -1;
	if (n > 1)
		history(in->history, &ev, H_ENTER, *line);
	return n;
}

void console_input_release(struct console_input *in)
{
	if (in->el)
		el_end(in->el);
	if (in->history)
		history_end(in->history);
	free(in->line);
	*in = (struct console_input){ .edited = false };
}
