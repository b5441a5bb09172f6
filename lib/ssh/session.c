/* session.c - commands that run there */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "ssh/ssh_int.h"

enum { LONGEST_LINE = 64 * 1024 };

static int start(struct ssh_link *l, struct str command, bool tty,
		 const struct child_options *o, struct child *c, int *config,
		 struct ssh_failure *f)
{
	const char *argv[] = { "ssh", "-F", NULL, "--", "there", NULL };
	const char *path;

	if (str_chr(command, '\n') >= 0)
		return ssh_fail(f, "a path there holds a line break", STR_NONE);
	*config = ssh_config_session(l, command, tty, &path);
	argv[2] = path;
	if (*config >= 0 && !ssh_start(l, argv, o, NULL, c))
		return 0;
	return ssh_fail(f, "the program ssh cannot be started",
			str_c(io_why()));
}

int ssh_pipe(struct ssh_link *l, struct str command, struct child *c,
	     int *errors, struct ssh_failure *f)
{
	struct child_options o = { .in = CHILD_PIPE,
				   .out = CHILD_PIPE,
				   .err = CHILD_FD };
	int config = -1;

	*errors = ssh_memory(l->a, STR_NONE, NULL);
	if (*errors < 0)
		return ssh_fail(f, "a file in memory cannot be made",
				str_c(io_why()));
	o.fd[2] = *errors;
	/* Of the program: it has its configuration when it asks for input. */
	if (start(l, command, false, &o, c, &config, f)) {
		close(*errors);
		return -1;
	}
	fcntl(c->in, F_SETFL, O_NONBLOCK);
	return 0;
}

/* A terminal of ours: from it ssh has what the one over there is to be like. */
static int open_terminal(int *ours, int *theirs)
{
	const struct winsize size = { .ws_row = 40, .ws_col = 80 };
	struct termios t;
	char name[64];

	*ours = *theirs = -1;
	*ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*ours < 0 || grantpt(*ours) || unlockpt(*ours) ||
	    ptsname_r(*ours, name, sizeof(name)))
		return -1;
	*theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*theirs < 0 || tcgetattr(*theirs, &t))
		return -1;
	t.c_lflag &= ~(tcflag_t)ECHO;
	return tcsetattr(*theirs, TCSANOW, &t) ||
			       ioctl(*theirs, TIOCSWINSZ, &size)
		       ? -1
		       : 0;
}

static void tell_line(struct ssh_link *l, struct str line)
{
	while (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	ssh_tell(l, line);
}

static void tell_lines(struct ssh_link *l, struct buf *b, bool all)
{
	struct str rest = buf_view(b);
	ptrdiff_t nl;

	while (rest.n && (nl = str_chr(rest, '\n')) >= 0) {
		tell_line(l, str_sub(rest, 0, (size_t)nl));
		rest = str_sub(rest, (size_t)nl + 1, rest.n);
	}
	if (rest.n && (all || rest.n > LONGEST_LINE)) {
		tell_line(l, rest);
		rest.n = 0;
	}
	if (rest.n && rest.n < b->len)
		memmove(b->p, rest.p, rest.n);
	buf_set_len(b, rest.n);
}

/* Until it has ended; -1: it is to be ended. */
static int follow(struct ssh_link *l, struct child *c, int terminal)
{
	struct buf line = BUF_INIT;
	int rc = 0;

	for (;;) {
		struct pollfd p = { .fd = c->out, .events = POLLIN };
		enum ssh_waited w = ssh_wait(l, &p, 1, 0);
		char some[16384];
		ssize_t n;

		if (w == SSH_STOPPED) /* as somebody would at a terminal */
			(void)!write(terminal, "\003", 1);
		if (w == SSH_ENDED) {
			rc = -1;
			break;
		}
		if (w != SSH_READY)
			continue;
		n = read(c->out, some, sizeof(some));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		buf_add(&line, some, (size_t)n);
		tell_lines(l, &line, false);
	}
	tell_lines(l, &line, true);
	buf_release(&line);
	return rc;
}

int ssh_run(struct ssh_link *l, struct str command, int *status,
	    struct ssh_failure *f)
{
	struct child_options o = { .in = CHILD_NULL,
				   .out = CHILD_PIPE,
				   .err = CHILD_MERGE };
	const bool tty = !l->r->windows;
	int ours = -1, theirs = -1, config = -1, rc = -1;
	struct child c = { -1, -1, -1, -1 };

	if (tty && open_terminal(&ours, &theirs)) {
		ssh_fail(f, "a terminal cannot be made", str_c(io_why()));
		goto out;
	}
	if (tty) {
		o.in = CHILD_FD;
		o.fd[0] = theirs;
	}
	if (start(l, command, tty, &o, &c, &config, f))
		goto out;
	rc = follow(l, &c, ours);
	*status = ssh_end(&c, rc);
	if (rc)
		ssh_fail(f, "interrupted", STR_NONE);
out:
	if (config >= 0)
		close(config);
	if (ours >= 0)
		close(ours);
	if (theirs >= 0)
		close(theirs);
	return rc;
}
