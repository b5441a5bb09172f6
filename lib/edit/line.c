/* line.c - edit.so: libedit behind the functions of edit.h */
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>
#include <histedit.h>

#include "edit/edit_dso_int.h"

enum {
	REMEMBERED = 1000,        /* lines */
	FILE_LIMIT = 1024 * 1024, /* bytes; a longer file is written anew */
};

struct editor {
	EditLine *el;
	History *history;
	char *file; /* of the history; NULL: none */
	locale_t utf8;
	bool interrupted, typed;
	char prompt[16];
};

static char *prompt_of(EditLine *el)
{
	struct editor *e;

	el_get(el, EL_CLIENTDATA, &e);
	return e->prompt;
}

/* Ctrl-C gives the line up. */
static unsigned char interrupt(EditLine *el, wint_t key)
{
	const LineInfo *line = el_line(el);
	struct editor *e;

	(void)key;
	el_get(el, EL_CLIENTDATA, &e);
	e->interrupted = true;
	e->typed = line->lastchar > line->buffer;
	return CC_EOF;
}

static void release(struct editor *e)
{
	if (e->el)
		el_end(e->el);
	if (e->history)
		history_end(e->history);
	if (e->utf8)
		freelocale(e->utf8);
	free(e->file);
	free(e);
}

/* --- the history --- */

static void load(struct editor *e)
{
	HistEvent ev;
	struct stat st;

	if (!e->file || lstat(e->file, &st) || !S_ISREG(st.st_mode))
		return;
	history(e->history, &ev, H_LOAD, e->file);
	if (st.st_size > FILE_LIMIT)
		history(e->history, &ev, H_SAVE, e->file);
}

/* Appends the last line: other consoles remember theirs in the same file. */
static void save_last(struct editor *e)
{
	int fd = open(e->file,
		      O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
		      0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "a");
	HistEvent ev;

	if (f) {
		fseek(f, 0, SEEK_END); /* H_NSAVE_FP begins a file at 0 */
		history(e->history, &ev, H_NSAVE_FP, (size_t)1, f);
		fclose(f);
	} else if (fd >= 0) {
		close(fd);
	}
}

/* As in shells, a line that begins with a blank is not remembered. */
static void remember(struct editor *e, const char *text, int n)
{
	HistEvent ev;

	if (n <= 1 || *text == ' ')
		return;
	history(e->history, &ev, H_ENTER, text);
	if (e->file)
		save_last(e);
}

/* --- lines --- */

static void set_up(struct editor *e)
{
	HistEvent ev;

	history(e->history, &ev, H_SETSIZE, REMEMBERED);
	history(e->history, &ev, H_SETUNIQUE, 1);
	load(e);
	el_set(e->el, EL_CLIENTDATA, e);
	el_set(e->el, EL_PROMPT, prompt_of);
	el_set(e->el, EL_EDITOR, "emacs");
	el_set(e->el, EL_SIGNAL, 1);
	el_set(e->el, EL_HIST, history, e->history);
	/* Ctrl-C is a key, not a signal */
	el_set(e->el, EL_SETTY, "-d", "-intr", NULL);
	/* el_set would not free its copies of the names */
	el_wset(e->el, EL_ADDFN, L"tf-interrupt", L"Gives the line up",
		interrupt);
	el_set(e->el, EL_BIND, "^C", "tf-interrupt", NULL);
	el_source(e->el, NULL); /* the user's editrc */
}

static struct editor *new (const char *name, const char *file)
{
	struct editor *e = calloc(1, sizeof(*e));
	locale_t before;

	if (!e)
		return NULL;
	/* (locale_t)0: the texts of a system without this locale are ASCII */
	e->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	before = e->utf8 ? uselocale(e->utf8) : (locale_t)0;
	e->file = file ? strdup(file) : NULL;
	e->history = history_init();
	e->el = el_init(name, stdin, stdout, stderr);
	if (e->el && e->history) {
		set_up(e);
	} else {
		release(e);
		e = NULL;
	}
	if (before)
		uselocale(before);
	return e;
}

static const char *line(struct editor *e, const char *prompt, int *n)
{
	locale_t before = e->utf8 ? uselocale(e->utf8) : (locale_t)0;
	const char *text;

	snprintf(e->prompt, sizeof(e->prompt), "%s", prompt);
	*n = 0;
	e->interrupted = e->typed = false;
	text = el_gets(e->el, n);
	if (e->interrupted) {
		fputs("^C\n", stdout);
		*n = e->typed ? EDITOR_DROPPED : EDITOR_LEFT;
		text = NULL;
	} else if (!text || *n <= 0) {
		*n = EDITOR_END;
		text = NULL;
	} else {
		remember(e, text, *n);
	}
	if (before)
		uselocale(before);
	return text;
}

__attribute__((visibility("default"))) const struct edit_dso edit_dso = {
	.version = PACKAGE_VERSION,
	.new = new,
	.line = line,
	.free = release,
};
