/* child_test.c - starting children, collecting output, killing */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "base/child.h"
#include "base/io.h"

struct run {
	struct loop *l;
	struct buf out;
	int status, ends;
	struct child_run *child;
};

static void on_output(void *data, struct str text)
{
	struct run *r = data;

	buf_str(&r->out, text);
}

static void on_done(void *data, int status)
{
	struct run *r = data;

	r->status = status;
	r->ends++;
}

static void run_shell(struct run *r, const char *script,
		      const char *const *env, const char *dir)
{
	const char *argv[] = { "sh", "-c", script, NULL };
	struct child_options o = { .argv = argv, .env = env, .dir = dir,
				   .out = CHILD_PIPE, .err = CHILD_MERGE,
				   .own_group = true };

	r->l = loop_new();
	r->child = child_run(r->l, &o, on_output, on_done, r);
	CHECK(r->child != NULL);
}

static void finish(struct run *r)
{
	CHECK(loop_run(r->l, NULL) == 0);
	CHECK(r->ends == 1);
	loop_free(r->l);
	buf_release(&r->out);
	*r = (struct run){ 0 };
}

static void test_output(void)
{
	static const char *const env[] = { "GREETING=hi", NULL };
	struct run r = { 0 };

	run_shell(&r, "echo out; echo err >&2; echo $GREETING; pwd; "
		      "cat; exit 3", env, "/");
	CHECK(loop_run(r.l, NULL) == 0);
	CHECK_STR(buf_view(&r.out), "out\nerr\nhi\n/\n");
	CHECK(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 3);
	finish(&r);
}

static void test_large_output(void)
{
	struct run r = { 0 };

	run_shell(&r, "head -c 1000000 /dev/zero", NULL, NULL);
	CHECK(loop_run(r.l, NULL) == 0);
	CHECK(r.out.len == 1000000);
	finish(&r);
}

/* Output of a process left in the background belongs to the child. */
static void test_background(void)
{
	struct run r = { 0 };

	run_shell(&r, "(sleep 0.05; echo late) & echo early", NULL, NULL);
	CHECK(loop_run(r.l, NULL) == 0);
	CHECK_STR(buf_view(&r.out), "early\nlate\n");
	finish(&r);
}

static void kill_it(void *data)
{
	struct run *r = data;

	child_run_kill(r->child, SIGKILL);
}

static void test_kill(void)
{
	struct run r = { 0 };
	struct arena a = ARENA_INIT;
	struct timespec t0, t1;

	clock_gettime(CLOCK_MONOTONIC, &t0);
	run_shell(&r, "echo x; sleep 30", NULL, NULL);
	loop_after(r.l, 30, kill_it, &r);
	CHECK(loop_run(r.l, NULL) == 0);
	clock_gettime(CLOCK_MONOTONIC, &t1);
	CHECK(t1.tv_sec - t0.tv_sec < 10);
	CHECK_STR(child_status_text(&a, r.status), "signal: killed");
	CHECK_STR(buf_view(&r.out), "x\n");
	finish(&r);
	arena_release(&a);
}

static void test_status_text(void)
{
	struct arena a = ARENA_INIT;
	struct run r = { 0 };

	run_shell(&r, "exit 7", NULL, NULL);
	CHECK(loop_run(r.l, NULL) == 0);
	CHECK_STR(child_status_text(&a, r.status), "exit status 7");
	finish(&r);
	arena_release(&a);
}

static int start_errno(const char *program, const char *dir)
{
	const char *argv[] = { program, NULL };
	struct child_options o = { .argv = argv, .dir = dir,
				   .out = CHILD_PIPE };
	struct child c;

	errno = 0;
	if (child_start(&o, &c) == 0)
		return 0;
	CHECK(c.pid == -1 && c.out == -1);
	return errno;
}

static int count_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		if (write(fd, "", 0) == 0 || errno != EBADF)
			n++;
	return n;
}

static void test_failures(void)
{
	int before = count_fds();

	CHECK(start_errno("/proc/nonexistent/program", NULL) == ENOENT);
	CHECK(start_errno("surely-no-such-program", NULL) == ENOENT);
	CHECK(start_errno("/dev/null", NULL) == EACCES);
	CHECK(start_errno("true", "/proc/nonexistent") == ENOENT);
	CHECK(count_fds() == before);
}

/* Pipes both ways, and a signal mask that is not inherited. */
static void test_pipes(void)
{
	const char *argv[] = { "sh", "-c", "read x; echo got $x; "
			       "grep SigBlk /proc/self/status >&2", NULL };
	struct child_options o = { .argv = argv, .in = CHILD_PIPE,
				   .out = CHILD_PIPE, .err = CHILD_PIPE };
	struct loop *l = loop_new(); /* blocks SIGCHLD */
	struct child c;
	struct buf out = BUF_INIT, err = BUF_INIT;
	int status;

	CHECK(child_start(&o, &c) == 0);
	CHECK(write(c.in, "word\n", 5) == 5);
	close(c.in);
	CHECK(io_read_fd(c.out, &out, 0) == 0);
	CHECK(io_read_fd(c.err, &err, 0) == 0);
	CHECK(waitpid(c.pid, &status, 0) == c.pid && status == 0);
	CHECK_STR(buf_view(&out), "got word\n");
	CHECK_STR(buf_view(&err), "SigBlk:\t0000000000000000\n");
	close(c.out);
	close(c.err);
	loop_free(l);
	buf_release(&out);
	buf_release(&err);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_output());
	RUN(test_large_output());
	RUN(test_background());
	RUN(test_kill());
	RUN(test_status_text());
	RUN(test_failures());
	RUN(test_pipes());
	return test_done("child");
}
