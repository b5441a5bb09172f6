/*
 * workers.h - work that keeps a processor busy, or waits for others, in
 * processes beside this one
 *
 * A worker is a fork of this process, so it has all that this one had when it
 * began; it returns its results as text.  A limited number work at a time, the
 * others wait.  A worker gets no signals from the terminal; workers_free ends
 * it.  Its results belong to this process once `done` has returned: if this
 * process ends before, for whatever reason, the worker undoes them.
 */
#ifndef TFPIPE_INSTALL_WORKERS_H
#define TFPIPE_INSTALL_WORKERS_H

#include "base/loop.h"
#include "base/str.h"

struct workers;

struct work {
	/* In the worker, which ends without its process's at-exit work. */
	void (*work)(void *data, struct buf *answer);
	/* In the worker, if the process that asked is gone: undoes it. */
	void (*undo)(void *data);
	/* In the loop, once.  An empty answer: the worker was killed, or none
	 * could be made. */
	void (*done)(void *data, struct str answer);
	void *data;
};

/* most: at a time; 0: as many as there are processors. */
struct workers *workers_new(struct arena *a, struct loop *l, size_t most);
/* How many work at a time. */
size_t workers_most(const struct workers *ws);
void workers_start(struct workers *ws, const struct work *w);
/* Kills those at work, who undo nothing, and waits for them.  NULL is fine. */
void workers_free(struct workers *ws);

#endif
