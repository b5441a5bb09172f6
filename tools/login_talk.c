/* login_talk.c - what tf-login says and asks; see tf-login.h */
#include "tf-login.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/child.h"

enum { LONGEST_ANSWER = 1 << 16 };

/* --- saying --- */

static const char *text_of(struct tool *t, const char *format, va_list ap)
{
	char *text = NULL;
	struct str out;

	if (vasprintf(&text, format, ap) < 0)
		return "";
	out = str_dup(&t->arena, str_c(text));
	free(text);
	return out.p;
}

void login_say(struct tool *t, const char *text, const char *message, ...)
{
	const char *said, *told;
	va_list ap;

	va_start(ap, message);
	said = text_of(t, text, ap);
	va_end(ap);
	va_start(ap, message);
	told = text_of(t, message, ap);
	va_end(ap);
	ui_say_both(&t->v, said, told);
}

void login_line(struct tool *t)
{
	static const char dashes[] =
		"\n---------------------------------------------------------"
		"------------------------\n\n";

	out_str(&t->out, str_c(dashes));
	out_flush(&t->out);
}

void login_success(struct tool *t, struct str text, const char *more)
{
	const bool color = t->v.style.color;
	struct str flat = str_dup(&t->arena, str_c(more));
	const char *said = arena_printf(
		&t->arena, "%sSuccess!%s %s%.*s%s%s",
		color ? "\033[32m\033[1m" : "", color ? "\033[0m" : "",
		color ? "\033[1m" : "", STR_ARG(text), color ? "\033[0m" : "",
		more);

	for (char *p = (char *)flat.p; *p; p++)
		if (*p == '\n')
			*p = ' ';
	flat = str_trim(flat);
	flat = str_printf(&t->arena, "Success! %.*s%s%.*s", STR_ARG(text),
			  flat.n ? " " : "", STR_ARG(flat));
	if (flat.p[flat.n - 1] == '.') /* messages have none */
		flat = str_dup(&t->arena, str_sub(flat, 0, flat.n - 1));
	ui_say_both(&t->v, said, flat.p);
}

/* --- asking --- */

static void on_signal(int sig)
{
	(void)sig; /* it is the read that shall end */
}

/* Byte by byte, for what follows is another answer's. */
static int read_line(struct buf *b)
{
	ssize_t n;
	char c;

	while ((n = read(STDIN_FILENO, &c, 1)) == 1 && c != '\n' &&
	       b->len < LONGEST_ANSWER)
		buf_putc(b, c);
	if (n < 0)
		return -1;
	errno = 0;
	return n == 0 && !b->len ? -1 : 0;
}

/* Signals that end the program end the answer first, so that the terminal is
 * put back. */
static int read_answer(bool secret, struct buf *b)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	enum { N = sizeof(signals) / sizeof(*signals) };
	const struct sigaction act = { .sa_handler = on_signal };
	struct sigaction old[N];
	struct termios was, quiet;
	int rc;

	secret = secret && tcgetattr(STDIN_FILENO, &was) == 0;
	for (int i = 0; i < N; i++)
		sigaction(signals[i], &act, &old[i]);
	if (secret) {
		quiet = was;
		quiet.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
	}
	rc = read_line(b);
	if (secret) {
		const int saved = errno;

		tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
		errno = saved;
	}
	for (int i = 0; i < N; i++)
		sigaction(signals[i], &old[i], NULL);
	return rc;
}

int login_ask(struct tool *t, const char *query, const char *about, bool secret,
	      const char *summary, struct str *out)
{
	const char *bold = t->v.style.color ? "\033[0m\033[1m" : "";
	const char *plain = t->v.style.color ? "\033[0m" : "";
	struct buf b = BUF_INIT;
	int rc;

	out_str(&t->out, str_printf(&t->arena, "%s%s%s\n", bold, query, plain));
	if (about)
		out_str(&t->out, str_printf(&t->arena, "  %s\n\n", about));
	out_str(&t->out, str_printf(&t->arena, "  %sEnter a value:%s ",
				    t->v.style.color ? "\033[1m" : "", plain));
	out_flush(&t->out);
	rc = read_answer(secret, &b);
	*out = str_trim(buf_dup(&t->arena, &b));
	if (rc)
		diag_error(&t->ds, NULL, summary, "%s",
			   errno ? "The question was interrupted."
				 : "The input ended before there was an "
				   "answer.");
	out_write(&t->out, "\n", 1);
	out_flush(&t->out);
	if (b.cap)
		explicit_bzero(b.p, b.cap);
	buf_release(&b);
	return rc;
}

/* --- the browser --- */

struct opening {
	bool over;
	int status;
};

static void on_browser(void *data, pid_t pid, int wait_status)
{
	struct opening *o = data;

	(void)pid;
	o->status = wait_status;
	o->over = true;
}

/* What BROWSER names counts alone. */
bool login_browse(struct tool *t, struct str address)
{
	const char *const usual[] = { "xdg-open", "x-www-browser",
				      "www-browser", "wslview", NULL };
	const char *const given[] = { getenv("BROWSER"), NULL };
	const char *const *programs = given[0] && *given[0] ? given : usual;
	struct opening o = { .status = -1 };

	for (; *programs; programs++) {
		const char *argv[] = { *programs, address.p, NULL };
		const struct child_options co = { .argv = argv };
		struct child c;

		if (child_start(&co, &c))
			continue;
		loop_child(t->hosts.loop, c.pid, on_browser, &o);
		loop_run(t->hosts.loop, &o.over);
		return WIFEXITED(o.status) && WEXITSTATUS(o.status) == 0;
	}
	return false;
}
