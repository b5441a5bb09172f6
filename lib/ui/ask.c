/* ask.c - see ask.h */
#include <errno.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "ui/ask.h"
#include "base/visible.h"

enum { LONGEST_ANSWER = 1 << 16 };

static void on_signal(int sig)
{
	(void)sig; /* only interrupts the read */
}

/* Reads byte by byte: later input belongs to the next answer.  Returns 1 after
 * a newline, 0 at the end of the input, -1 with errno. */
static int read_line(int fd, struct buf *b)
{
	ssize_t n;
	char c;

	while ((n = read(fd, &c, 1)) == 1 && c != '\n' &&
	       b->len < LONGEST_ANSWER)
		if (c)
			buf_putc(b, c);
	return (int)n;
}

int ui_answer(int fd, bool secret, struct buf *b)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	enum { N = sizeof(signals) / sizeof(*signals) };
	const struct sigaction act = { .sa_handler = on_signal };
	struct sigaction old[N];
	struct termios was, quiet;
	int rc;

	secret = secret && tcgetattr(fd, &was) == 0;
	for (int i = 0; i < N; i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler == SIG_DFL)
			sigaction(signals[i], &act, NULL);
	}
	if (secret) {
		quiet = was;
		quiet.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(fd, TCSAFLUSH, &quiet);
	}
	rc = read_line(fd, b);
	if (secret) {
		const int saved = errno;

		tcsetattr(fd, TCSAFLUSH, &was);
		errno = saved;
	}
	for (int i = 0; i < N; i++)
		sigaction(signals[i], &old[i], NULL);
	return rc;
}

int ui_ask(struct view *v, const struct question *q, struct str *answer,
	   struct diags *ds)
{
	const bool color = v->style.color;
	const char *plain = color ? PAINT_PLAIN : "";
	struct buf b = BUF_INIT;
	int rc;

	out_str(v->out, str_printf(v->arena, "%s%s%s\n",
				   color ? PAINT_PLAIN PAINT_BOLD : "",
				   q->query, plain));
	if (q->about)
		out_str(v->out, str_printf(v->arena, "  %s\n\n", q->about));
	out_str(v->out, str_printf(v->arena, "  %sEnter a value:%s ",
				   color ? PAINT_BOLD : "", plain));
	out_flush(v->out);
	rc = ui_answer(STDIN_FILENO, q->secret, &b);
	if (rc >= 0)
		errno = 0;
	rc = rc > 0 || (rc == 0 && b.len) ? 0 : -1;
	*answer = str_trim(buf_dup(v->arena, &b));
	if (rc)
		diag_error(
			ds, NULL, q->summary, "%s",
			errno ? "The question was interrupted."
			      : "The input ended before there was an answer.");
	out_write(v->out, "\n", 1);
	out_flush(v->out);
	if (b.cap)
		explicit_bzero(b.p, b.cap);
	buf_release(&b);
	return rc;
}
