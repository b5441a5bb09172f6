/*
 * loop.h - the event loop: descriptors, timers, children, deferred calls
 *
 * One loop a tool, one thread.  Callbacks run from loop_run only, never from
 * inside the call that registered them, so a request that completes at once
 * still completes asynchronously (loop_defer).  A callback may run the loop
 * itself until something it waits for is there; everything else goes on
 * meanwhile.
 */
#ifndef TFPIPE_BASE_LOOP_H
#define TFPIPE_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct loop;
struct loop_watch;
struct loop_timer;

struct loop *loop_new(void);
void loop_free(struct loop *l); /* pending callbacks are dropped */

typedef void loop_fn(void *data);
typedef void loop_fd_fn(void *data, int fd, unsigned events);
typedef void loop_child_fn(void *data, pid_t pid, int wait_status);
typedef void loop_signal_fn(void *data, int sig);

enum { LOOP_READ = 1, LOOP_WRITE = 2, LOOP_HANGUP = 4 };

/* Runs fn in the next turn; turns are FIFO. */
void loop_defer(struct loop *l, loop_fn *fn, void *data);
/* Is something deferred, so that the next turn will not wait? */
bool loop_busy(const struct loop *l);
/* Runs fn once at the end of the current turn, however often it was called (the
 * journal uses it to sync once a turn). */
void loop_at_turn_end(struct loop *l, loop_fn *fn, void *data);
/* Whoever data belongs to is freed: its calls, of either kind, are not made. */
void loop_forget(struct loop *l, const void *data);

struct loop_watch *loop_watch(struct loop *l, int fd, unsigned events,
			      loop_fd_fn *fn, void *data);
void loop_watch_set(struct loop_watch *w, unsigned events);
void loop_unwatch(struct loop_watch *w);

/* Once, after ms milliseconds. Valid until it fires or is cancelled. */
struct loop_timer *loop_after(struct loop *l, uint64_t ms, loop_fn *fn,
			      void *data);
void loop_cancel(struct loop_timer *t);

/* Calls fn when the child ends; reaps it. */
void loop_child(struct loop *l, pid_t pid, loop_child_fn *fn, void *data);
/* Handles SIGINT, SIGTERM, … in the loop from now on. */
void loop_signal(struct loop *l, int sig, loop_signal_fn *fn, void *data);

/* Runs until *done is true or nothing is left that could happen.  Returns 0,
 * or -1 with errno when polling itself failed. */
int loop_run(struct loop *l, const bool *done);

#endif
