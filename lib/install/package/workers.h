/*
 * workers.h - work that keeps a processor busy, or waits for others, in
 * processes beside this one
 *
 * A worker is this process once more (fork), so that it knows all this one knew
 * when it began; what it finds out comes back as text.  So many work at a time,
 * others wait for their turn.  A worker hears no
 * signal of a terminal; it is ended by workers_free.  What it has made is this
 * process's once `done` has returned: if this process ends before, whatever
 * ends it, the worker takes it away again.
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
void workers_start(struct workers *ws, const struct work *w);
/* Kills those at work, who undo nothing, and waits for them.  NULL is fine. */
void workers_free(struct workers *ws);

#endif
