/* loop_test.c - order of turns, timers, watches, signals, children */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "base/loop.h"

struct log {
	struct loop *l;
	struct buf text;
	bool done;
	int count;
	struct loop_timer *victim;
	struct loop_watch *watch, *writer;
};

struct entry {
	struct log *log;
	const char *name;
};

static void note(void *data)
{
	struct entry *e = data;

	buf_puts(&e->log->text, e->name);
}

static void note_and_defer(void *data)
{
	struct entry *e = data;
	static struct entry again;

	note(data);
	again = (struct entry){ e->log, "d" };
	loop_at_turn_end(e->log->l, note, e + 1);
	loop_at_turn_end(e->log->l, note, e + 1);
	loop_defer(e->log->l, note, &again);
}

/* Deferred calls are FIFO, what they defer waits a turn, and a turn-end hook
 * asked for twice runs once, before that. */
static void test_turns(void)
{
	struct log log = { .l = loop_new() };
	struct entry entries[] = { { &log, "a" }, { &log, "E" }, { &log, "b" },
				   { &log, "c" } };

	loop_defer(log.l, note_and_defer, &entries[0]);
	loop_defer(log.l, note, &entries[2]);
	loop_defer(log.l, note, &entries[3]);
	CHECK(log.text.len == 0);
	CHECK(loop_run(log.l, NULL) == 0);
	CHECK_STR(buf_view(&log.text), "abcEd");
	loop_free(log.l);
	buf_release(&log.text);
}

static void count_to_thousand(void *data)
{
	struct log *log = data;

	if (++log->count < 1000)
		loop_defer(log->l, count_to_thousand, log);
	else
		log->done = true;
}

static void test_done_flag(void)
{
	struct log log = { .l = loop_new() };

	loop_after(log.l, 3600 * 1000, note, NULL); /* must not be waited for */
	loop_defer(log.l, count_to_thousand, &log);
	CHECK(loop_run(log.l, &log.done) == 0);
	CHECK(log.count == 1000);
	loop_free(log.l);
}

static void cancel_victim(void *data)
{
	struct log *log = data;

	buf_puts(&log->text, "x");
	loop_cancel(log->victim);
}

static void test_timers(void)
{
	struct log log = { .l = loop_new() };
	struct entry e[] = { { &log, "1" }, { &log, "2" }, { &log, "3" },
			     { &log, "4" } };
	struct timespec t0, t1;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &t0);
	loop_after(log.l, 30, note, &e[2]);
	loop_after(log.l, 1, note, &e[0]);
	loop_after(log.l, 20, note, &e[1]);
	log.victim = loop_after(log.l, 25, note, &e[3]);
	loop_after(log.l, 10, cancel_victim, &log);
	CHECK(loop_run(log.l, NULL) == 0);
	clock_gettime(CLOCK_MONOTONIC, &t1);
	ms = (t1.tv_sec - t0.tv_sec) * 1000 +
	     (t1.tv_nsec - t0.tv_nsec) / 1000000;
	CHECK(ms >= 29);
	CHECK_STR(buf_view(&log.text), "1x23");
	loop_free(log.l);
	buf_release(&log.text);
}

static void many_timer(void *data)
{
	struct log *log = data;

	log->count++;
}

/* Cancelling in the middle keeps the heap in order. */
static void test_many_timers(void)
{
	struct log log = { .l = loop_new() };
	struct loop_timer *t[200];

	for (int i = 0; i < 200; i++)
		t[i] = loop_after(log.l, (uint64_t)(i * 7 % 11), many_timer,
				  &log);
	for (int i = 0; i < 200; i += 2)
		loop_cancel(t[i]);
	CHECK(loop_run(log.l, NULL) == 0);
	CHECK(log.count == 100);
	loop_free(log.l);
}

static void on_readable(void *data, int fd, unsigned events)
{
	struct log *log = data;
	char c[64];
	ssize_t n = read(fd, c, sizeof(c));

	CHECK(events & (LOOP_READ | LOOP_HANGUP));
	if (n > 0)
		buf_add(&log->text, c, (size_t)n);
	else
		loop_unwatch(log->watch);
}

static void on_writable(void *data, int fd, unsigned events)
{
	struct log *log = data;

	CHECK(events & LOOP_WRITE);
	CHECK(write(fd, "hello", 5) == 5);
	loop_unwatch(log->writer);
	close(fd);
}

static void test_watch(void)
{
	struct log log = { .l = loop_new() };
	int fds[2];

	CHECK(pipe(fds) == 0);
	log.watch = loop_watch(log.l, fds[0], LOOP_READ, on_readable, &log);
	log.writer = loop_watch(log.l, fds[1], 0, on_writable, &log);
	loop_watch_set(log.writer, LOOP_WRITE);
	CHECK(loop_run(log.l, NULL) == 0);
	CHECK_STR(buf_view(&log.text), "hello");
	close(fds[0]);
	loop_free(log.l);
	buf_release(&log.text);
}

static void on_signal(void *data, int sig)
{
	struct log *log = data;

	CHECK(sig == SIGINT);
	log->done = true;
}

static void raise_int(void *data)
{
	(void)data;
	kill(getpid(), SIGINT);
}

static void test_signal(void)
{
	struct log log = { .l = loop_new() };
	sigset_t mask;

	loop_signal(log.l, SIGINT, on_signal, &log);
	loop_after(log.l, 2, raise_int, NULL);
	loop_after(log.l, 3600 * 1000, note, NULL);
	CHECK(loop_run(log.l, &log.done) == 0);
	CHECK(log.done);
	loop_free(log.l);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	CHECK(!sigismember(&mask, SIGINT));
}

static void on_child(void *data, pid_t pid, int status)
{
	struct log *log = data;

	CHECK(pid > 0 && WIFEXITED(status));
	log->count += WEXITSTATUS(status);
}

static void test_children(void)
{
	struct log log = { .l = loop_new() };

	for (int i = 1; i <= 5; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(i);
		if (i == 1) /* has ended before it is registered */
			usleep(20000);
		loop_child(log.l, pid, on_child, &log);
	}
	CHECK(loop_run(log.l, NULL) == 0);
	CHECK(log.count == 15);
	loop_free(log.l);
}

/* A call of what is gone by then is not made, also where it goes in the middle
 * of the calls. */
static void forget_next(void *data)
{
	struct entry *e = data;

	note(data);
	loop_forget(e->log->l, e + 1);
}

static void test_forget(void)
{
	struct log log = { .l = loop_new() };
	struct entry e[] = { { &log, "a" }, { &log, "b" }, { &log, "c" } };

	loop_defer(log.l, forget_next, &e[0]);
	loop_defer(log.l, note, &e[1]);
	loop_defer(log.l, note, &e[2]);
	loop_at_turn_end(log.l, note, &e[1]);
	CHECK(loop_run(log.l, NULL) == 0);
	CHECK_STR(buf_view(&log.text), "ac");
	loop_free(log.l);
	buf_release(&log.text);
}

/* A callback that runs the loop until another one was called. */
struct nested {
	struct loop *l;
	struct loop_watch *outer, *inner;
	int calls;
	bool done, seen;
};

static void on_inner(void *data, int fd, unsigned events)
{
	struct nested *n = data;
	char c;

	(void)events;
	n->calls++;
	CHECK(read(fd, &c, 1) == 1); /* waits for ever if there is nothing */
	loop_unwatch(n->inner);
	n->seen = true;
}

static void forgotten(void *data)
{
	(*(int *)data)++;
}

static void on_outer(void *data, int fd, unsigned events)
{
	struct nested *n = data;
	char c;

	(void)events;
	CHECK(read(fd, &c, 1) == 1);
	loop_unwatch(n->outer);
	CHECK(loop_run(n->l, &n->seen) == 0);
	n->done = true;
}

static void test_nested(void)
{
	struct nested n = { .l = loop_new() };
	int a[2], b[2];

	CHECK(pipe(a) == 0 && pipe(b) == 0);
	CHECK(write(a[1], "x", 1) == 1 && write(b[1], "x", 1) == 1);
	n.outer = loop_watch(n.l, a[0], LOOP_READ, on_outer, &n);
	n.inner = loop_watch(n.l, b[0], LOOP_READ, on_inner, &n);
	CHECK(loop_run(n.l, &n.done) == 0);
	CHECK(n.calls == 1); /* both were readable in the outer turn */
	loop_free(n.l);
	for (int i = 0; i < 2; i++) {
		close(a[i]);
		close(b[i]);
	}
}

static void forget_within(void *data)
{
	struct nested *n = data;

	loop_forget(n->l, &n->calls); /* which the outer run has taken */
	n->seen = true;
}

static void run_within(void *data)
{
	struct nested *n = data;

	loop_defer(n->l, forget_within, n);
	CHECK(loop_run(n->l, &n->seen) == 0);
}

static void test_nested_forget(void)
{
	struct nested n = { .l = loop_new() };

	loop_defer(n.l, run_within, &n);
	loop_defer(n.l, forgotten, &n.calls);
	CHECK(loop_run(n.l, NULL) == 0);
	CHECK(n.calls == 0);
	loop_free(n.l);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_turns());
	RUN(test_forget());
	RUN(test_done_flag());
	RUN(test_timers());
	RUN(test_many_timers());
	RUN(test_watch());
	RUN(test_nested());
	RUN(test_nested_forget());
	RUN(test_signal());
	RUN(test_children());
	return test_done("loop");
}
