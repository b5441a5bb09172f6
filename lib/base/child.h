/*
 * child.h - child processes
 *
 * A child starts with an empty signal mask, default signal dispositions, no
 * descriptor but the three standard ones, and dies with its parent.
 * child_start is the plain form: the caller watches the descriptors.  child_run
 * collects the output through the event loop and reports the end when the
 * process is reaped and its output is closed, by whatever it started in the
 * background too.
 */
#ifndef TFPIPE_BASE_CHILD_H
#define TFPIPE_BASE_CHILD_H

#include "base/loop.h"
#include "base/str.h"

enum child_stream {
	CHILD_NULL,    /* /dev/null */
	CHILD_PIPE,    /* a pipe; our end is in struct child */
	CHILD_INHERIT, /* ours */
	CHILD_MERGE,   /* stderr only: where stdout goes */
	CHILD_FD,      /* a descriptor of ours: child_options.fd */
};

struct child_options {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in
				    PATH unless it has a slash */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: ours */
	const char *dir;         /* working directory; NULL: ours */
	enum child_stream in, out, err;
	int fd[3];        /* of CHILD_FD, for each of these */
	const int *keeps; /* descriptors of ours under the same numbers,
			     close-on-exec or not, -1 at the end; or NULL */
	/* Signals that it ignores or has blocked from the beginning, 0 at the
	 * end; or NULL. */
	const int *ignores, *holds;
	bool inherits;  /* all descriptors that are not close-on-exec */
	bool own_group; /* a process group of its own: the terminal's
				    Ctrl-C does not reach it */
};

struct child {
	pid_t pid;
	int in, out, err; /* our ends of pipes, -1 where there is none */
};

/* 0, or -1 with errno: also what exec or chdir in the child failed with. */
int child_start(const struct child_options *o, struct child *c);

struct child_run; /* a child whose output is collected */

/* A piece of output as it arrives. */
typedef void child_output_fn(void *data, struct str text);
/* The end: the status is wait(2)'s. */
typedef void child_done_fn(void *data, int wait_status);

/* Starts and watches; out and err must be CHILD_PIPE (or err CHILD_MERGE); both
 * go to `output`.  NULL with errno when it could not be started.  The struct
 * is freed after `done` was called. */
struct child_run *child_run(struct loop *l, const struct child_options *o,
			    child_output_fn *output, child_done_fn *done,
			    void *data);
/* Sends a signal to the child (to its whole group if it has one).  The end is
 * then reported when the process is gone, even if others hold its output. */
void child_run_kill(struct child_run *r, int sig);

/* Forgets a child without waiting for its end; its loop must not run again. */
void child_run_free(struct child_run *r);

/* How a child ended, for messages: "exit status 3", "signal: killed". */
struct str child_status_text(struct arena *a, int wait_status);

/* The path of another program of this package: in this one's directory; or its
 * name alone, for PATH. */
const char *child_beside(struct arena *a, const char *name);

#endif
