/* link.c - processes, what is handed to them, and waiting for them */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ssh/ssh_int.h"
#include "base/clock.h"

/* --- waiting --- */

/* Was it one that ends everything? */
static enum ssh_waited take_signal(struct ssh_link *l)
{
	struct signalfd_siginfo info;

	if (read(l->signals, &info, sizeof(info)) != sizeof(info))
		return SSH_READY;
	if (info.ssi_signo != SIGINT || l->stops) {
		l->stops = l->ends = true;
		return SSH_ENDED;
	}
	l->stops = true;
	return SSH_STOPPED;
}

enum ssh_waited ssh_wait(struct ssh_link *l, struct pollfd *fds, size_t n,
			 uint64_t deadline)
{
	struct pollfd all[4];

	for (size_t i = 0; i < n; i++)
		all[i] = fds[i];
	all[n] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	for (;;) {
		const uint64_t now = clock_ms();
		int ms = -1, ready;

		if (deadline && deadline <= now)
			return SSH_LATE;
		if (deadline)
			ms = deadline - now > 60000 ? 60000
						    : (int)(deadline - now) + 1;
		ready = poll(all, n + 1, ms);
		if (ready < 0 && errno != EINTR)
			return SSH_ENDED;
		if (ready <= 0)
			continue;
		if (all[n].revents) {
			enum ssh_waited w = take_signal(l);

			if (w != SSH_READY)
				return w;
			continue;
		}
		for (size_t i = 0; i < n; i++)
			fds[i].revents = all[i].revents;
		return SSH_READY;
	}
}

/* --- in memory --- */

int ssh_memory(struct arena *a, struct str text, const char **path)
{
	/* ssh uses no key that others might read: this one they cannot. */
	const int fd = io_memory("ssh", text);

	if (fd >= 0 && path)
		*path = arena_printf(a, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return fd;
}

struct str ssh_memory_text(struct arena *a, int fd)
{
	struct buf b = BUF_INIT;

	if (lseek(fd, 0, SEEK_SET) == 0)
		(void)io_read_fd(fd, &b, 64 << 10);
	return buf_take(a, &b);
}

/* --- processes --- */

/* Ours, but that programs which ssh starts run in a plain shell.  more: NULL at
 * the end. */
static const char *const *environment(struct arena *a, const char *const *more)
{
	static const char *const replaced[] = {
		"SHELL=", "TERM=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=",
		"TFPIPE_SSH_PASSWORD="
	};
	size_t have = 0, n = 0, added = 0;
	const char **env;

	while (environ[have])
		have++;
	while (more[added])
		added++;
	env = ARENA_ARRAY(a, const char *, have + added + 3);
	for (size_t i = 0; i < have; i++) {
		bool kept = true;

		for (size_t k = 0; k < sizeof(replaced) / sizeof(*replaced);
		     k++)
			kept &= !str_starts(str_c(environ[i]), replaced[k]);
		if (kept)
			env[n++] = environ[i];
	}
	env[n++] = "SHELL=/bin/sh";
	env[n++] = "TERM=xterm";
	for (size_t i = 0; i < added; i++)
		env[n++] = more[i];
	return env;
}

int ssh_start(struct ssh_link *l, const char *const *argv,
	      const struct child_options *streams,
	      const char *const *more_environment, struct child *c)
{
	static const char *const none[] = { NULL };
	struct child_options o = *streams;

	o.argv = argv;
	o.env = environment(l->a, more_environment ? more_environment : none);
	/* A Ctrl-C is for us: we say what becomes of it. */
	o.own_group = true;
	return child_start(&o, c);
}

int ssh_end(struct child *c, bool must)
{
	int *fds[] = { &c->in, &c->out, &c->err };
	int status = 0;

	for (size_t i = 0; i < 3; i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	if (c->pid <= 0)
		return 0;
	if (must)
		kill(-c->pid, SIGTERM);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = -1;
	return status;
}

int ssh_ask(struct ssh_link *l, const char *const *argv, struct str *out,
	    struct ssh_failure *f)
{
	const struct child_options o = { .out = CHILD_PIPE,
					 .err = CHILD_MERGE };
	struct buf b = BUF_INIT;
	struct child c;
	bool lost = false;
	int status;

	*out = STR_NONE;
	if (ssh_start(l, argv, &o, NULL, &c))
		return ssh_fail(f,
				arena_printf(l->a,
					     "the program %s cannot be started",
					     argv[0]),
				str_c(io_why()));
	for (;;) {
		struct pollfd p = { .fd = c.out, .events = POLLIN };
		char some[4096];
		ssize_t n;

		/* A request to stop waits until this has ended. */
		if (ssh_wait(l, &p, 1, clock_ms() + 30000) != SSH_READY) {
			lost = !l->stops || l->ends;
			if (lost)
				break;
			continue;
		}
		n = read(c.out, some, sizeof(some));
		if (n <= 0)
			break;
		buf_add(&b, some, (size_t)n);
	}
	status = ssh_end(&c, lost);
	*out = buf_take(l->a, &b);
	if (!lost && WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return ssh_fail(f, "", STR_NONE);
}
