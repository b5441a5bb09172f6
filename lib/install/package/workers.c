/* workers.c - see unpack.h */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "install/package/unpack.h"
#include "base/io.h"

enum { LONGEST_ANSWER = 1 << 24, ONCE = 1 << 16 };

struct forked {
	struct workers *all;
	struct work work;
	pid_t pid; /* 0: it has not begun */
	int fd; /* a socket to it: its answer, then our word that we have it */
	struct loop_watch *watch;
	struct buf answer;
	bool over;
	struct forked *next;
};

struct workers {
	struct arena *a;
	struct loop *loop;
	size_t most, busy;
	struct forked *first, **last; /* all that ever were */
	struct forked *waiting;       /* the first that has not begun */
};

static size_t processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set)
		       ? 1
		       : (size_t)CPU_COUNT(&set);
}

/* --- in the worker --- */

/* Waits until the other end has taken the answer; false: it has ended. */
static bool is_taken(int fd)
{
	char c;
	ssize_t n;

	while ((n = read(fd, &c, 1)) < 0 && errno == EINTR)
		;
	return n == 1;
}

static _Noreturn void be_worker(const struct forked *w, int fd)
{
	struct buf answer = BUF_INIT;

	for (const struct forked *o = w->all->first; o; o = o->next)
		if (o->pid && !o->over)
			close(o->fd);
	signal(SIGPIPE, SIG_IGN);
	w->work.work(w->work.data, &answer);
	io_write_all(fd, answer.p, answer.len);
	shutdown(fd, SHUT_WR);
	if (!is_taken(fd))
		w->work.undo(w->work.data);
	_exit(0);
}

/* --- in the process that asks --- */

static void start_waiting(struct workers *ws);

static void end_worker(struct forked *w)
{
	loop_unwatch(w->watch);
	close(w->fd);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	w->over = true;
	buf_release(&w->answer);
	w->all->busy--;
}

static void on_answer(void *data, int fd, unsigned events)
{
	struct forked *w = data;
	ssize_t n;

	(void)events;
	buf_grow(&w->answer, ONCE);
	n = read(fd, w->answer.p + w->answer.len, ONCE);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0 && w->answer.len < LONGEST_ANSWER) {
		w->answer.len += (size_t)n;
		w->answer.p[w->answer.len] = '\0';
		return;
	}
	w->work.done(w->work.data, str_dup(w->all->a, buf_view(&w->answer)));
	send(fd, "", 1, MSG_NOSIGNAL); /* it may have ended already */
	end_worker(w);
	start_waiting(w->all);
}

static void on_no_worker(void *data)
{
	struct forked *w = data;

	w->over = true;
	w->all->busy--;
	w->work.done(w->work.data, STR_NONE);
	start_waiting(w->all);
}

static void start_worker(struct forked *w)
{
	int fds[2] = { -1, -1 };

	w->all->busy++;
	if (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		w->pid = fork();
	if (w->pid == 0 && fds[0] >= 0) {
		close(fds[0]);
		be_worker(w, fds[1]);
	}
	if (fds[1] >= 0)
		close(fds[1]);
	if (w->pid <= 0) {
		if (fds[0] >= 0)
			close(fds[0]);
		w->pid = 0;
		loop_defer(w->all->loop, on_no_worker, w);
		return;
	}
	w->fd = fds[0];
	w->watch = loop_watch(w->all->loop, w->fd, LOOP_READ, on_answer, w);
}

static void start_waiting(struct workers *ws)
{
	while (ws->waiting && ws->busy < ws->most) {
		struct forked *w = ws->waiting;

		ws->waiting = w->next;
		start_worker(w);
	}
}

void workers_start(struct workers *ws, const struct work *work)
{
	struct forked *w = ARENA_NEW(ws->a, struct forked);

	*w = (struct forked){ .all = ws, .work = *work, .fd = -1 };
	*ws->last = w;
	ws->last = &w->next;
	if (!ws->waiting)
		ws->waiting = w;
	start_waiting(ws);
}

struct workers *workers_new(struct arena *a, struct loop *l, size_t most)
{
	struct workers *ws = ARENA_NEW(a, struct workers);

	*ws = (struct workers){ .a = a,
				.loop = l,
				.most = most ? most : processors() };
	ws->last = &ws->first;
	return ws;
}

size_t workers_most(const struct workers *ws)
{
	return ws->most;
}

void workers_free(struct workers *ws)
{
	for (struct forked *w = ws ? ws->first : NULL; w; w = w->next) {
		if (!w->pid || w->over)
			continue;
		kill(w->pid, SIGKILL);
		end_worker(w);
	}
}
