/*
 * loop.c - the event loop, on poll(2) and signalfd(2)
 *
 * A turn: the calls deferred before it, then whatever descriptors, signals,
 * children and timers have to say, then the turn-end hooks.  Descriptors are
 * few (a handful a provider process), so poll serves; it also takes regular
 * files, which epoll refuses.
 * Watches and timers are heap objects that a callback may drop while its turn
 * is dispatching: they are only marked then, and freed when the turn is over.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/arena.h"
#include "base/loop.h"

struct call {
	loop_fn *fn;
	void *data;
};

struct call_list {
	struct call *items;
	size_t len, cap;
};

struct loop_watch {
	struct loop *loop;
	int fd;
	unsigned events;
	loop_fd_fn *fn;
	void *data;
	bool dead;
};

struct loop_timer {
	struct loop *loop;
	uint64_t due;   /* monotonic milliseconds */
	uint64_t order; /* FIFO among timers of the same moment */
	size_t slot;    /* index in the heap */
	loop_fn *fn;
	void *data;
};

struct loop_pid {
	pid_t pid;
	loop_child_fn *fn;
	void *data;
};

enum { MAX_SIGNALS = 65 };

/* A list whose calls are being made; of runs in one another the inner first. */
struct running {
	struct call_list calls;
	struct running *outer;
};

struct loop {
	struct call_list deferred, at_end;
	struct running *running;
	uint64_t turns;
	struct loop_watch **watches;
	size_t nwatches, watches_cap;
	bool any_dead;
	struct pollfd *polled;
	size_t polled_cap;
	struct loop_timer **heap; /* binary heap, earliest first */
	size_t ntimers, timers_cap;
	uint64_t timer_order;
	struct loop_pid *pids;
	size_t npids, pids_cap;
	bool check_pids; /* a child may have ended before it was registered */
	sigset_t handled;
	sigset_t saved; /* the mask to restore */
	int signal_fd;
	struct {
		loop_signal_fn *fn;
		void *data;
	} signals[MAX_SIGNALS];
};

/* Room for one more item of `size` bytes in a heap array. */
static void *grow(void *items, size_t len, size_t *cap, size_t size)
{
	if (len < *cap)
		return items;
	*cap = *cap ? *cap * 2 : 16;
	return xrealloc(items, *cap * size);
}

static void handle_signal(struct loop *l, int sig)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, sig);
	sigaddset(&l->handled, sig);
	sigprocmask(SIG_BLOCK, &one, NULL);
	signalfd(l->signal_fd, &l->handled, SFD_CLOEXEC | SFD_NONBLOCK);
}

struct loop *loop_new(void)
{
	struct loop *l = xcalloc(1, sizeof(*l));

	sigemptyset(&l->handled);
	sigprocmask(SIG_BLOCK, NULL, &l->saved);
	l->signal_fd = signalfd(-1, &l->handled, SFD_CLOEXEC | SFD_NONBLOCK);
	handle_signal(l, SIGCHLD);
	return l;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nwatches; i++)
		free(l->watches[i]);
	for (size_t i = 0; i < l->ntimers; i++)
		free(l->heap[i]);
	if (l->signal_fd >= 0)
		close(l->signal_fd);
	sigprocmask(SIG_SETMASK, &l->saved, NULL);
	free(l->deferred.items);
	free(l->at_end.items);
	free(l->watches);
	free(l->polled);
	free(l->heap);
	free(l->pids);
	free(l);
}

/* --- deferred calls --- */

static void call_list_push(struct call_list *c, loop_fn *fn, void *data)
{
	c->items = grow(c->items, c->len, &c->cap, sizeof(*c->items));
	c->items[c->len++] = (struct call){ fn, data };
}

void loop_defer(struct loop *l, loop_fn *fn, void *data)
{
	call_list_push(&l->deferred, fn, data);
}

bool loop_busy(const struct loop *l)
{
	return l->deferred.len != 0;
}

void loop_at_turn_end(struct loop *l, loop_fn *fn, void *data)
{
	for (size_t i = 0; i < l->at_end.len; i++)
		if (l->at_end.items[i].fn == fn &&
		    l->at_end.items[i].data == data)
			return;
	call_list_push(&l->at_end, fn, data);
}

static void forget_calls(const struct call_list *c, const void *data)
{
	for (size_t i = 0; i < c->len; i++)
		if (c->items[i].data == data)
			c->items[i].fn = NULL;
}

void loop_forget(struct loop *l, const void *data)
{
	forget_calls(&l->deferred, data);
	forget_calls(&l->at_end, data);
	for (struct running *r = l->running; r; r = r->outer)
		forget_calls(&r->calls, data);
}

/* Runs the calls in the list; calls that these add wait for the next run. */
static void run_calls(struct loop *l, struct call_list *list)
{
	struct running now = { *list, l->running };

	*list = (struct call_list){ NULL, 0, 0 };
	l->running = &now;
	for (size_t i = 0; i < now.calls.len; i++)
		if (now.calls.items[i].fn)
			now.calls.items[i].fn(now.calls.items[i].data);
	l->running = now.outer;
	now.calls.len = 0;
	if (list->items)
		free(now.calls.items);
	else
		*list = now.calls; /* the memory, for the next turn */
}

/* --- descriptors --- */

struct loop_watch *loop_watch(struct loop *l, int fd, unsigned events,
			      loop_fd_fn *fn, void *data)
{
	struct loop_watch *w = xcalloc(1, sizeof(*w));

	*w = (struct loop_watch){ l, fd, events, fn, data, false };
	l->watches = grow(l->watches, l->nwatches, &l->watches_cap,
			  sizeof(struct loop_watch *));
	l->watches[l->nwatches++] = w;
	return w;
}

void loop_watch_set(struct loop_watch *w, unsigned events)
{
	w->events = events;
}

void loop_unwatch(struct loop_watch *w)
{
	if (!w)
		return;
	w->dead = true;
	w->loop->any_dead = true;
}

static void bury_watches(struct loop *l)
{
	size_t kept = 0;

	if (!l->any_dead)
		return;
	for (size_t i = 0; i < l->nwatches; i++) {
		if (l->watches[i]->dead)
			free(l->watches[i]);
		else
			l->watches[kept++] = l->watches[i];
	}
	l->nwatches = kept;
	l->any_dead = false;
}

static short poll_events(unsigned events)
{
	return (short)((events & LOOP_READ ? POLLIN : 0) |
		       (events & LOOP_WRITE ? POLLOUT : 0));
}

static unsigned loop_events(short revents)
{
	return (revents & POLLIN ? (unsigned)LOOP_READ : 0) |
	       (revents & POLLOUT ? (unsigned)LOOP_WRITE : 0) |
	       (revents & (POLLHUP | POLLERR | POLLNVAL) ? (unsigned)LOOP_HANGUP
							 : 0);
}

static void dispatch_watches(struct loop *l, size_t n)
{
	const uint64_t turn = l->turns;

	/* Watches that a callback adds wait a turn, as does what a run inside
	 * a callback left over. */
	for (size_t i = 0; i < n && l->turns == turn; i++) {
		struct loop_watch *w = l->watches[i];
		unsigned events = loop_events(l->polled[i].revents);

		if (events && !w->dead)
			w->fn(w->data, w->fd, events);
	}
}

/* --- timers --- */

static bool earlier(const struct loop_timer *a, const struct loop_timer *b)
{
	return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void heap_set(struct loop *l, size_t i, struct loop_timer *t)
{
	l->heap[i] = t;
	t->slot = i;
}

static void heap_up(struct loop *l, size_t i)
{
	struct loop_timer *t = l->heap[i];

	while (i > 0 && earlier(t, l->heap[(i - 1) / 2])) {
		heap_set(l, i, l->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_set(l, i, t);
}

static void heap_down(struct loop *l, size_t i)
{
	struct loop_timer *t = l->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= l->ntimers)
			break;
		if (child + 1 < l->ntimers &&
		    earlier(l->heap[child + 1], l->heap[child]))
			child++;
		if (!earlier(l->heap[child], t))
			break;
		heap_set(l, i, l->heap[child]);
		i = child;
	}
	heap_set(l, i, t);
}

struct loop_timer *loop_after(struct loop *l, uint64_t ms, loop_fn *fn,
			      void *data)
{
	struct loop_timer *t = xcalloc(1, sizeof(*t));

	*t = (struct loop_timer){ .loop = l,
				  .due = clock_ms() + ms,
				  .order = l->timer_order++,
				  .fn = fn,
				  .data = data };
	l->heap = grow(l->heap, l->ntimers, &l->timers_cap,
		       sizeof(struct loop_timer *));
	heap_set(l, l->ntimers++, t);
	heap_up(l, t->slot);
	return t;
}

static void heap_remove(struct loop *l, struct loop_timer *t)
{
	size_t i = t->slot;
	struct loop_timer *last = l->heap[--l->ntimers];

	if (last == t)
		return;
	heap_set(l, i, last);
	heap_down(l, i);
	heap_up(l, last->slot);
}

void loop_cancel(struct loop_timer *t)
{
	if (!t)
		return;
	heap_remove(t->loop, t);
	free(t);
}

static void run_timers(struct loop *l)
{
	uint64_t now, newest = l->timer_order;

	if (l->ntimers == 0)
		return;
	now = clock_ms();
	/* A timer that a callback sets for "at once" waits for next turn. */
	while (l->ntimers > 0 && l->heap[0]->due <= now &&
	       l->heap[0]->order < newest) {
		struct loop_timer *t = l->heap[0];
		struct call c = { t->fn, t->data };

		heap_remove(l, t);
		free(t);
		c.fn(c.data);
	}
}

/* --- signals and children --- */

void loop_signal(struct loop *l, int sig, loop_signal_fn *fn, void *data)
{
	if (sig <= 0 || sig >= MAX_SIGNALS)
		return;
	l->signals[sig].fn = fn;
	l->signals[sig].data = data;
	handle_signal(l, sig);
}

void loop_child(struct loop *l, pid_t pid, loop_child_fn *fn, void *data)
{
	l->pids = grow(l->pids, l->npids, &l->pids_cap, sizeof(*l->pids));
	l->pids[l->npids++] = (struct loop_pid){ pid, fn, data };
	l->check_pids = true;
}

/* Asks for each child by its pid: others' children are not ours to reap. */
static void reap(struct loop *l)
{
	size_t i = 0;

	l->check_pids = false;
	while (i < l->npids) {
		struct loop_pid p = l->pids[i];
		int status = 0;
		pid_t got = waitpid(p.pid, &status, WNOHANG);

		if (got == 0 || (got < 0 && errno == EINTR)) {
			i++;
			continue;
		}
		l->pids[i] = l->pids[--l->npids];
		p.fn(p.data, p.pid, status);
	}
}

static void read_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		int sig = (int)info.ssi_signo;

		if (sig == SIGCHLD)
			l->check_pids = true;
		if (sig < MAX_SIGNALS && l->signals[sig].fn)
			l->signals[sig].fn(l->signals[sig].data, sig);
	}
}

/* --- turns --- */

static bool idle(const struct loop *l)
{
	return l->deferred.len == 0 && l->at_end.len == 0 && l->nwatches == 0 &&
	       l->ntimers == 0 && l->npids == 0;
}

static int poll_timeout(const struct loop *l)
{
	uint64_t now, left;

	if (l->deferred.len || l->at_end.len || l->check_pids)
		return 0;
	if (l->ntimers == 0)
		return -1;
	now = clock_ms();
	left = l->heap[0]->due > now ? l->heap[0]->due - now : 0;
	return left > 1 << 30 ? 1 << 30 : (int)left;
}

/* Waits for something to happen; 0, or -1 when poll failed. */
static int wait_events(struct loop *l, size_t *n)
{
	*n = l->nwatches;
	while (l->polled_cap < *n + 1)
		l->polled = grow(l->polled, l->polled_cap, &l->polled_cap,
				 sizeof(*l->polled));
	for (size_t i = 0; i < *n; i++)
		l->polled[i] = (struct pollfd){
			.fd = l->watches[i]->fd,
			.events = poll_events(l->watches[i]->events)
		};
	l->polled[*n] = (struct pollfd){ .fd = l->signal_fd, .events = POLLIN };
	if (poll(l->polled, *n + 1, poll_timeout(l)) >= 0)
		return 0;
	if (errno != EINTR)
		return -1;
	for (size_t i = 0; i <= *n; i++)
		l->polled[i].revents = 0;
	return 0;
}

static int turn(struct loop *l, const bool *done)
{
	size_t n;

	l->turns++;
	run_calls(l, &l->deferred);
	bury_watches(l);
	if (idle(l) || (done && *done))
		return 0;
	if (wait_events(l, &n) < 0)
		return -1;
	if (l->polled[n].revents)
		read_signals(l);
	dispatch_watches(l, n);
	if (l->check_pids)
		reap(l);
	run_timers(l);
	run_calls(l, &l->at_end);
	bury_watches(l);
	return 0;
}

int loop_run(struct loop *l, const bool *done)
{
	while (!(done && *done) && !idle(l))
		if (turn(l, done) < 0)
			return -1;
	/* Run the calls that were deferred to the end of the turn. */
	run_calls(l, &l->at_end);
	bury_watches(l);
	return 0;
}
