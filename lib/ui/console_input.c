/*
 * console_input.c - lines for the console: edited, with a history, at a
 * terminal; else as they come
 */
#include <stdlib.h>
#include <unistd.h>

#include "ui/console_input.h"
#include "base/arena.h"
#include "base/io.h"
#include "base/str.h"
#include "edit/edit.h"

/* $TFPIPE_CONSOLE_HISTORY, or $XDG_STATE_HOME/tfpipe/console_history; empty:
 * nothing is remembered.  The file is the user's alone (0600). */
static struct str history_file(struct arena *a)
{
	const char *own = getenv("TFPIPE_CONSOLE_HISTORY");
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	struct str dir;

	if (own)
		return str_c(own);
	if (xdg && *xdg == '/')
		dir = str_printf(a, "%s/tfpipe", xdg);
	else if (home && *home == '/')
		dir = str_printf(a, "%s/.local/state/tfpipe", home);
	else
		return STR_NONE;
	if (io_make_dirs(dir.p, 0700))
		return STR_NONE;
	return str_printf(a, "%.*s/console_history", STR_ARG(dir));
}

void console_input_init(struct console_input *in)
{
	struct arena scratch = ARENA_INIT;
	struct str history;

	*in = (struct console_input){ .line = NULL };
	in->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (!in->terminal)
		return;
	history = history_file(&scratch);
	in->editor = editor_new("tf-eval", history.n ? history.p : NULL);
	arena_release(&scratch);
}

ssize_t console_input_line(struct console_input *in, bool more,
			   const char **line)
{
	const char *prompt = more ? ": " : "> ";
	int n = 0;

	if (in->editor) {
		*line = editor_line(in->editor, prompt, &n);
		if (*line)
			return n;
		if (n == EDITOR_END)
			putchar('\n');
		return n == EDITOR_DROPPED || (n == EDITOR_LEFT && more) ? 0
									 : -1;
	}
	if (in->terminal) {
		fputs(prompt, stdout);
		fflush(stdout);
	}
	n = (int)getline(&in->line, &in->cap, stdin);
	if (n < 0 && in->terminal)
		putchar('\n');
	*line = in->line;
	return n;
}

void console_input_release(struct console_input *in)
{
	editor_free(in->editor);
	free(in->line);
	*in = (struct console_input){ .line = NULL };
}
