/* line.c - edit.so: libedit behind the functions of edit.h */
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>

#include "edit/dso_int.h"

enum { REMEMBERED = 1000 };

struct editor {
	EditLine *el;
	History *history;
	char prompt[16];
};

static char *prompt_of(EditLine *el)
{
	struct editor *e;

	el_get(el, EL_CLIENTDATA, &e);
	return e->prompt;
}

static void release(struct editor *e)
{
	if (e->el)
		el_end(e->el);
	if (e->history)
		history_end(e->history);
	free(e);
}

static struct editor *new (const char *name)
{
	struct editor *e = calloc(1, sizeof(*e));
	HistEvent ev;

	if (!e)
		return NULL;
	e->history = history_init();
	e->el = el_init(name, stdin, stdout, stderr);
	if (!e->el || !e->history) {
		release(e);
		return NULL;
	}
	history(e->history, &ev, H_SETSIZE, REMEMBERED);
	history(e->history, &ev, H_SETUNIQUE, 1);
	el_set(e->el, EL_CLIENTDATA, e);
	el_set(e->el, EL_PROMPT, prompt_of);
	el_set(e->el, EL_EDITOR, "emacs");
	el_set(e->el, EL_SIGNAL, 1);
	el_set(e->el, EL_HIST, history, e->history);
	el_source(e->el, NULL); /* the user's editrc */
	return e;
}

static const char *line(struct editor *e, const char *prompt, int *n)
{
	HistEvent ev;
	const char *text;

	snprintf(e->prompt, sizeof(e->prompt), "%s", prompt);
	*n = 0;
	text = el_gets(e->el, n);
	if (!text || *n <= 0)
		return NULL;
	if (*n > 1)
		history(e->history, &ev, H_ENTER, text);
	return text;
}

__attribute__((visibility("default"))) const struct edit_dso edit_dso = {
	.version = PACKAGE_VERSION,
	.new = new,
	.line = line,
	.free = release,
};
