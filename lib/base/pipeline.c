/* pipeline.c - see pipeline.h */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pipeline.h"
#include "base/child.h"

struct pipeline_stage *pipeline_add(struct pipeline *p, const char *const *argv)
{
	struct pipeline_stage *s = arena_alloc(p->arena, sizeof(*s));

	*s = (struct pipeline_stage){ .argv = argv };
	vec_push(p->arena, &p->stages, s);
	return s;
}

/* Starts a stage that reads from `in` and writes to `out`. */
static int start(struct pipeline_stage *s, int in, int out)
{
	struct child_options o = {
		.argv = s->argv,
		.in = in == STDIN_FILENO ? CHILD_INHERIT : CHILD_FD,
		.out = out == STDOUT_FILENO ? CHILD_INHERIT : CHILD_FD,
		.err = s->no_errors ? CHILD_NULL : CHILD_INHERIT,
		.fd = { in, out },
		.keeps = s->keeps,
		.ignores = s->ignores,
		.holds = s->holds,
		.inherits = true,
	};
	struct child c;

	if (child_start(&o, &c))
		return -1;
	s->pid = c.pid;
	return 0;
}

static void close_end(int fd, int kept)
{
	const int saved = errno;

	if (fd != kept)
		close(fd);
	errno = saved;
}

static int pipeline_stage_wait(struct pipeline_stage *s);

/* Ends what has been started in vain. */
static void give_up(struct pipeline *p, size_t n)
{
	const int saved = errno;

	p->failed = p->stages.items[n];
	for (size_t i = 0; i < n; i++) {
		pipeline_signal(p->stages.items[i], SIGKILL);
		pipeline_stage_wait(p->stages.items[i]);
	}
	errno = saved;
}

int pipeline_start(struct pipeline *p)
{
	const size_t n = p->stages.len;
	int in = p->in;

	for (size_t i = 0; i < n; i++) {
		const bool piped = i + 1 < n || p->read_out;
		int fds[2] = { -1, p->out }, rc;

		if (piped && pipe2(fds, O_CLOEXEC)) {
			close_end(in, p->in);
			give_up(p, i);
			return -1;
		}
		rc = start(p->stages.items[i], in, fds[1]);
		close_end(in, p->in);
		if (piped)
			close_end(fds[1], -1);
		if (rc) {
			if (piped)
				close_end(fds[0], -1);
			give_up(p, i);
			return -1;
		}
		in = fds[0];
	}
	if (p->read_out)
		p->out = in;
	return 0;
}

void pipeline_signal(const struct pipeline_stage *s, int sig)
{
	const pid_t pid = s->pid;

	if (pid > 0)
		kill(pid, sig);
}

/* The process stays there, so that its number is nobody else's, until nobody
 * can send it a signal any more. */
static int pipeline_stage_wait(struct pipeline_stage *s)
{
	const pid_t pid = s->pid;
	siginfo_t info;
	int status = 0;

	if (pid <= 0)
		return s->status;
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			break;
	s->pid = 0;
	if (waitpid(pid, &status, 0) < 0)
		return s->status = 127;
	s->status = WIFEXITED(status) ? WEXITSTATUS(status)
				      : 128 + WTERMSIG(status);
	return s->status;
}

int pipeline_wait(struct pipeline *p)
{
	int status = 0;

	for (size_t i = p->stages.len; i-- > 0;) {
		const int rc = pipeline_stage_wait(p->stages.items[i]);

		if (i + 1 == p->stages.len)
			status = rc;
	}
	return status;
}
