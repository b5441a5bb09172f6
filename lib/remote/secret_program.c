/* secret_program.c - see credentials.h */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/credentials.h"
#include "base/child.h"
#include "base/io.h"

enum { LONGEST_ANSWER = 1 << 20 };

/* Feeds input to the program and reads its output into *out and *said.  Has it
 * succeeded? */
static bool talk(struct child *c, struct str input, struct buf *out,
		 struct buf *said)
{
	int status = -1;

	signal(SIGPIPE, SIG_IGN); /* it need not read */
	io_write_all(c->in, input.p, input.n);
	close(c->in);
	io_read_fd(c->out, out, LONGEST_ANSWER);
	io_read_fd(c->err, said, LONGEST_ANSWER);
	close(c->out);
	close(c->err);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int secret_program_run(struct arena *a, const char *const argv[],
		       struct str input, struct buf *out, struct str *why)
{
	const struct child_options o = { .argv = argv,
					 .in = CHILD_PIPE,
					 .out = CHILD_PIPE,
					 .err = CHILD_PIPE };
	struct buf said = BUF_INIT;
	struct child c;

	*why = STR_NONE;
	if (child_start(&o, &c))
		*why = str_printf(a, "%s cannot be run: %s", argv[0],
				  strerror(errno));
	else if (!talk(&c, input, out, &said))
		*why = str_printf(a, "%s failed: %.*s", argv[0],
				  STR_ARG(str_trim(buf_view(&said))));
	buf_release(&said);
	return why->n ? -1 : 0;
}
