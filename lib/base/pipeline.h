/*
 * pipeline.h - programs that run at once, each reading what the one before it
 * writes
 *
 * A pipeline is built (pipeline_add), started, and waited for.  The first stage
 * reads `in`, the last writes to `out`: ours unless they are set.  Whoever
 * reads what the last one writes sets `read_out` and takes the end of the pipe
 * from `out` after pipeline_start.
 *
 *	struct pipeline p = PIPELINE_INIT(a);
 *	struct pipeline_stage *s;
 *
 *	pipeline_add(&p, parse);
 *	s = pipeline_add(&p, plan);
 *	p.read_out = true;
 *	if (pipeline_start(&p))
 *		… errno, p.failed->argv[0]
 *	… read p.out to its end, and close it …
 *	status = pipeline_wait(&p);
 *
 * All stages inherit the descriptors above 2 that are not close-on-exec, but
 * no end of a pipe of ours.  They die with this process (child.h).
 */
#ifndef TFPIPE_BASE_PIPELINE_H
#define TFPIPE_BASE_PIPELINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/vec.h"

struct pipeline_stage {
	const char *const *argv;
	/* Signals that it ignores, or that wait until it listens to them, from
	 * the beginning; 0 at the end; or NULL. */
	const int *ignores, *holds;
	/* Descriptors of ours that it gets under the same number, close-on-exec
	 * or not, -1 at the end; or NULL. */
	const int *keeps;
	bool no_errors; /* standard error is /dev/null */
	/* --- what became of it --- */
	volatile pid_t pid; /* 0: not started, or it has been waited for */
	int status;         /* once it has ended: as a shell gives it */
};

struct pipeline {
	struct arena *arena;
	VEC(struct pipeline_stage *) stages;
	int in, out;   /* descriptors; the caller closes them */
	bool read_out; /* in: a pipe from the last stage, whose end is put in
			  `out` */
	struct pipeline_stage *failed; /* that could not be started */
};

#define PIPELINE_INIT(a) \
	{ \
		.arena = (a), .in = 0, .out = 1 \
	}

/* Adds a stage behind the others: its words, NULL at the end. */
struct pipeline_stage *pipeline_add(struct pipeline *p,
				    const char *const *argv);
/* 0, or -1 with errno, when `failed` could not be started: those before it have
 * been ended then. */
int pipeline_start(struct pipeline *p);
/* Sends a signal to a stage, if it has not ended.  May be called from the
 * handler of a signal. */
void pipeline_signal(const struct pipeline_stage *s, int sig);
/* Waits for all stages; returns the status of the last one, which is what a
 * shell says of a pipe.  Signals that are handled do not end the waiting. */
int pipeline_wait(struct pipeline *p);

#endif
