/* pipeline_test.c - programs that run at once, each reading from the last */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "test.h"
#include "base/io.h"
#include "base/pipeline.h"

static struct arena arena;

static struct pipeline_stage *add(struct pipeline *p, const char *script)
{
	const char **argv = ARENA_ARRAY(&arena, const char *, 4);

	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = script;
	return pipeline_add(p, argv);
}

/* What the last stage writes, with that text for the first one to read. */
static struct str through(struct pipeline *p, const char *text)
{
	struct buf got = BUF_INIT;
	struct str s;
	int fds[2];

	CHECK(pipe2(fds, O_CLOEXEC) == 0);
	CHECK(io_write_all(fds[1], text, strlen(text)) == 0);
	close(fds[1]);
	p->in = fds[0];
	p->read_out = true;
	CHECK(pipeline_start(p) == 0);
	close(fds[0]);
	CHECK(io_read_fd(p->out, &got, 0) == 0);
	close(p->out);
	s = buf_dup(&arena, &got);
	buf_release(&got);
	return s;
}

static void test_order(void)
{
	struct pipeline p = PIPELINE_INIT(&arena);

	add(&p, "cat; echo 1");
	add(&p, "cat; echo 2");
	add(&p, "cat; echo 3");
	CHECK_STR(through(&p, "in\n"), "in\n1\n2\n3\n");
	CHECK(pipeline_wait(&p) == 0);
}

static void test_one_stage(void)
{
	struct pipeline p = PIPELINE_INIT(&arena);

	add(&p, "cat");
	CHECK_STR(through(&p, "in\n"), "in\n");
	CHECK(pipeline_wait(&p) == 0);
}

/* As a shell says it: the last one's counts, and a signal is 128 and more. */
static void test_status(void)
{
	struct pipeline p = PIPELINE_INIT(&arena);
	struct pipeline_stage *first = add(&p, "exit 3"), *second;

	second = add(&p, "kill -9 $$");
	add(&p, "exit 5");
	CHECK(pipeline_start(&p) == 0);
	CHECK(pipeline_wait(&p) == 5);
	CHECK(first->status == 3 && second->status == 128 + SIGKILL);
	CHECK(first->pid == 0 && second->pid == 0);
	CHECK(pipeline_wait(&p) == 5);
}

/* Nobody holds an end of a pipe but who uses it: a stage that writes without
 * end ends when its reader does, and a reader when its writer does. */
static void test_ends(void)
{
	struct pipeline p = PIPELINE_INIT(&arena);
	struct pipeline_stage *writer = add(&p, "exec yes");

	add(&p, "exec cat");
	add(&p, "exec cat");
	add(&p, "read x; echo $x");
	CHECK_STR(through(&p, ""), "y\n");
	CHECK(pipeline_wait(&p) == 0);
	CHECK(writer->status == 128 + SIGPIPE);
}

/* What has begun is ended, and no descriptor stays open. */
static void test_not_started(void)
{
	static const char *const missing[] = { "/nonexistent/stage", NULL };
	struct pipeline p = PIPELINE_INIT(&arena);
	struct pipeline_stage *first = add(&p, "exec sleep 60"), *second;
	int before = open("/dev/null", O_RDONLY | O_CLOEXEC), after;

	close(before);
	second = pipeline_add(&p, missing);
	add(&p, "exec sleep 60");
	p.read_out = true;
	CHECK(pipeline_start(&p) == -1 && errno == ENOENT);
	CHECK(p.failed == second);
	CHECK(first->pid == 0 && first->status == 128 + SIGKILL);
	after = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CHECK(before == after);
	close(after);
}

static void test_descriptors(void)
{
	struct pipeline p = PIPELINE_INIT(&arena);
	int keeps[2] = { -1, -1 }, fds[2];
	struct pipeline_stage *s;
	struct str got;

	/* one that is close-on-exec, for the first stage alone */
	CHECK(pipe2(fds, O_CLOEXEC) == 0);
	CHECK(io_write_all(fds[1], "kept\n", 5) == 0);
	close(fds[1]);
	keeps[0] = fds[0];
	s = add(&p, arena_printf(&arena, "cat <&%d", fds[0]));
	s->keeps = keeps;
	s = add(&p, arena_printf(&arena, "cat; cat <&%d || echo none",
				 fds[0]));
	s->no_errors = true;
	got = through(&p, "");
	CHECK_STR(got, "kept\nnone\n");
	CHECK(pipeline_wait(&p) == 0);
	close(fds[0]);
}

static void test_signals(void)
{
	static const int ignored[] = { SIGINT, 0 };
	struct pipeline p = PIPELINE_INIT(&arena);
	struct pipeline_stage *s = add(&p, "kill -INT $$; echo on"), *asleep;

	s->ignores = ignored;
	CHECK_STR(through(&p, ""), "on\n");
	CHECK(pipeline_wait(&p) == 0);
	pipeline_signal(s, SIGTERM); /* has ended: nobody gets it */

	p = (struct pipeline)PIPELINE_INIT(&arena);
	asleep = add(&p, "exec sleep 60");
	CHECK(pipeline_start(&p) == 0);
	pipeline_signal(asleep, SIGTERM);
	CHECK(pipeline_wait(&p) == 128 + SIGTERM);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_order());
	RUN(test_one_stage());
	RUN(test_status());
	RUN(test_ends());
	RUN(test_not_started());
	RUN(test_descriptors());
	RUN(test_signals());
	arena_release(&arena);
	return test_done("pipeline");
}
