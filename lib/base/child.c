/*
 * child.c - starting child processes and collecting their output
 *
 * vfork is used, not fork: a tool that holds a large state would otherwise
 * copy its page tables for every provisioner.  The child touches nothing but
 * its own frame until exec, and its errno comes back through shared memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"

struct child_plan { /* what the child is to do, prepared by the parent */
	const struct child_options *o;
	int fds[3]; /* what becomes descriptors 0, 1, 2; -1 keeps ours */
	pid_t parent;
};

static void reset_signals(const struct child_options *o)
{
	struct sigaction dfl;
	sigset_t held;

	memset(&dfl, 0, sizeof(dfl));
	dfl.sa_handler = SIG_DFL;
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL); /* fails for KILL, STOP */
	dfl.sa_handler = SIG_IGN;
	for (const int *sig = o->ignores; sig && *sig; sig++)
		sigaction(*sig, &dfl, NULL);
	sigemptyset(&held);
	for (const int *sig = o->holds; sig && *sig; sig++)
		sigaddset(&held, *sig);
	sigprocmask(SIG_SETMASK, &held, NULL);
}

/* Runs in the child, sharing the parent's memory; returns errno or does not
 * return. */
static int exec_child(const struct child_plan *p)
{
	reset_signals(p->o);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != p->parent)
		return ESRCH;
	if (p->o->own_group && setpgid(0, 0) < 0)
		return errno;
	for (int i = 0; i < 3; i++)
		if (p->fds[i] >= 0 && dup2(p->fds[i], i) < 0)
			return errno;
	if (!p->o->inherits)
		syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC);
	for (const int *fd = p->o->keeps; fd && *fd >= 0; fd++)
		if (fcntl(*fd, F_SETFD, 0) < 0)
			return errno;
	if (p->o->dir && chdir(p->o->dir) < 0)
		return errno;
	/* The casts are execvpe's: it does not modify the strings. */
	execvpe(p->o->argv[0], (char *const *)p->o->argv,
		p->o->env ? (char *const *)p->o->env : environ);
	return errno;
}

static pid_t __attribute__((noinline))
start(const struct child_plan *p, volatile int *err)
{
	pid_t pid = vfork();

	if (pid == 0) {
		*err = exec_child(p);
		_exit(127);
	}
	return pid;
}

/* Opens what the child gets as descriptor n; our end goes to *ours. The child's
 * end is kept above 2, so that dup2 never clobbers one still needed. */
static int open_stream(enum child_stream kind, int fd, int n, int *theirs,
		       int *ours)
{
	int fds[2];

	*theirs = *ours = -1;
	if (kind == CHILD_FD) {
		*theirs = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		return *theirs < 0 ? -1 : 0;
	}
	if (kind == CHILD_NULL) {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return -1;
		*theirs = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		close(fd);
		return *theirs < 0 ? -1 : 0;
	}
	if (kind != CHILD_PIPE)
		return 0;
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	*ours = fds[n == 0 ? 1 : 0];
	*theirs = fcntl(fds[n == 0 ? 0 : 1], F_DUPFD_CLOEXEC, 3);
	close(fds[n == 0 ? 0 : 1]);
	return *theirs < 0 ? -1 : 0;
}

static void close_fd(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}

int child_start(const struct child_options *o, struct child *c)
{
	struct child_plan p = { o, { -1, -1, -1 }, getpid() };
	int *ours[3] = { &c->in, &c->out, &c->err };
	enum child_stream kinds[3] = { o->in, o->out, o->err };
	volatile int err = 0;
	int failed = -1;

	c->pid = -1;
	c->in = c->out = c->err = -1;
	for (int i = 0; i < 3; i++)
		if (open_stream(kinds[i], o->fd[i], i, &p.fds[i], ours[i]) < 0)
			goto out;
	if (o->err == CHILD_MERGE)
		p.fds[2] = p.fds[1] >= 0 ? fcntl(p.fds[1], F_DUPFD_CLOEXEC, 3)
					 : fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (o->err == CHILD_MERGE && p.fds[2] < 0)
		goto out;
	c->pid = start(&p, &err);
	if (c->pid < 0)
		goto out;
	if (err) { /* vfork: the child has already exited */
		waitpid(c->pid, NULL, 0);
		c->pid = -1;
		errno = err;
		goto out;
	}
	failed = 0;
out:
	for (int i = 0; i < 3; i++) {
		close_fd(&p.fds[i]);
		if (failed)
			close_fd(ours[i]);
	}
	return failed;
}

/* --- with the loop --- */

struct child_run {
	struct child child;
	bool own_group;
	struct loop_watch *watch[2]; /* out, err; NULL when drained */
	bool ended, killed, reported;
	int status;
	child_output_fn *output;
	child_done_fn *done;
	void *data;
	struct loop *loop;
};

static void report_end(void *data)
{
	struct child_run *r = data;

	r->done(r->data, r->status);
	free(r);
}

static void maybe_done(struct child_run *r)
{
	if (!r->ended || r->watch[0] || r->watch[1] || r->reported)
		return;
	r->reported = true;
	loop_defer(r->loop, report_end, r);
}

static void stop_watching(struct child_run *r, int i)
{
	loop_unwatch(r->watch[i]);
	r->watch[i] = NULL;
	close_fd(i == 0 ? &r->child.out : &r->child.err);
}

/* Reads what there is; false at the end of the output. */
static bool read_some(struct child_run *r, int fd)
{
	char chunk[16384];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (n > 0 && r->output)
		r->output(r->data, (struct str){ chunk, (size_t)n });
	return n > 0;
}

static void on_output(void *data, int fd, unsigned events)
{
	struct child_run *r = data;

	(void)events;
	if (read_some(r, fd))
		return;
	stop_watching(r, fd == r->child.out ? 0 : 1);
	maybe_done(r);
}

/* The process was killed, but its background children may still hold the pipe:
 * read what is available now and do not wait for more. */
static void drain(struct child_run *r, int i)
{
	int fd = i == 0 ? r->child.out : r->child.err;

	if (!r->watch[i])
		return;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	errno = 0;
	while (read_some(r, fd) && errno != EAGAIN)
		errno = 0;
	stop_watching(r, i);
}

static void on_end(void *data, pid_t pid, int status)
{
	struct child_run *r = data;

	(void)pid;
	r->ended = true;
	r->status = status;
	if (r->killed) {
		drain(r, 0);
		drain(r, 1);
	}
	maybe_done(r);
}

struct child_run *child_run(struct loop *l, const struct child_options *o,
			    child_output_fn *output, child_done_fn *done,
			    void *data)
{
	struct child_run *r = xcalloc(1, sizeof(*r));

	if (child_start(o, &r->child) < 0) {
		int saved = errno;

		free(r);
		errno = saved;
		return NULL;
	}
	r->loop = l;
	r->own_group = o->own_group;
	r->output = output;
	r->done = done;
	r->data = data;
	close_fd(&r->child.in);
	if (r->child.out >= 0)
		r->watch[0] =
			loop_watch(l, r->child.out, LOOP_READ, on_output, r);
	if (r->child.err >= 0)
		r->watch[1] =
			loop_watch(l, r->child.err, LOOP_READ, on_output, r);
	loop_child(l, r->child.pid, on_end, r);
	return r;
}

void child_run_kill(struct child_run *r, int sig)
{
	r->killed = true;
	if (!r->ended) {
		kill(r->own_group ? -r->child.pid : r->child.pid, sig);
		return;
	}
	drain(r, 0); /* only the output was still waited for */
	drain(r, 1);
	maybe_done(r);
}

void child_run_free(struct child_run *r)
{
	for (int i = 0; i < 2; i++)
		if (r->watch[i])
			stop_watching(r, i);
	free(r);
}

struct str child_status_text(struct arena *a, int wait_status)
{
	if (WIFEXITED(wait_status))
		return str_printf(a, "exit status %d",
				  WEXITSTATUS(wait_status));
	if (WIFSIGNALED(wait_status)) {
		const char *name = strsignal(WTERMSIG(wait_status));
		struct str s =
			str_printf(a, "signal: %s", name ? name : "unknown");

		((char *)s.p)[8] |= 0x20; /* as Go writes it: lower case */
		return s;
	}
	return STR("ended in an unknown way");
}

const char *child_beside(struct arena *a, const char *name)
{
	char here[4096];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here));
	const char *path;

	while (n > 0 && here[n - 1] != '/')
		n--;
	if (n <= 0)
		return name;
	path = arena_printf(a, "%.*s%s", (int)n, here, name);
	return access(path, X_OK) ? name : path;
}
