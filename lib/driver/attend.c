/* attend.c - see runner.h */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "driver/runner.h"
#include "base/child.h"

/* For the handlers. */
static volatile sig_atomic_t command_pid;

static void forward(int sig)
{
	kill((pid_t)command_pid, sig);
}

int attend(char **argv)
{
	struct child_options o = { .argv = (const char *const *)argv,
				   .in = CHILD_INHERIT,
				   .out = CHILD_INHERIT,
				   .err = CHILD_INHERIT,
				   .inherits = true };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction pass_on = { .sa_handler = forward };
	struct child c;
	sigset_t held, before;
	int status;

	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGHUP);
	sigprocmask(SIG_BLOCK, &held, &before); /* until there is a command */
	fflush(stdout);
	if (child_start(&o, &c))
		return -1;
	command_pid = c.pid;
	sigaction(SIGTERM, &pass_on, NULL);
	sigaction(SIGHUP, &pass_on, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (waitpid(c.pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
