/*
 * program.c - external programs of OpenTofu's protocol: JSON in; out a line
 * that says what speaks, {"magic":"...","version":1}, and JSON
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "encrypt/encrypt_int.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/io.h"
#include "json/read.h"
#include "json/tree.h"

enum { SECONDS = 60, SAID_MOST = 4096 }; /* the first as in OpenTofu */

struct talk {
	struct child c;
	struct str input; /* what is left of it */
	struct buf out, said;
	int64_t until;
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void feed(struct talk *t)
{
	ssize_t n = write(t->c.in, t->input.p, t->input.n);

	if (n > 0)
		t->input = str_sub(t->input, (size_t)n, t->input.n);
	/* The program need not read all. */
	if ((n < 0 && errno != EAGAIN && errno != EINTR) || !t->input.n)
		close_end(&t->c.in);
}

static void take(int *fd, struct buf *to, size_t most)
{
	char piece[65536];
	ssize_t n = read(*fd, piece, sizeof(piece));

	if (n > 0 && (!most || to->len < most))
		buf_add(to, piece, (size_t)n);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(fd);
}

/* Until its outputs are closed; false: its time was up. */
static bool exchange(struct talk *t)
{
	while (t->c.out >= 0 || t->c.err >= 0) {
		struct pollfd p[3] = {
			{ .fd = t->c.in, .events = POLLOUT },
			{ .fd = t->c.out, .events = POLLIN },
			{ .fd = t->c.err, .events = POLLIN },
		};
		const int64_t left = t->until - (int64_t)clock_ms();

		if (left <= 0)
			return false;
		if (poll(p, 3, (int)left) < 0 && errno != EINTR)
			return false;
		if (t->c.in >= 0 && p[0].revents)
			feed(t);
		if (t->c.out >= 0 && p[1].revents)
			take(&t->c.out, &t->out, 0);
		if (t->c.err >= 0 && p[2].revents)
			take(&t->c.err, &t->said, SAID_MOST);
	}
	return true;
}

static void end(struct talk *t, bool in_time, int *status)
{
	if (!in_time)
		kill(t->c.pid, SIGKILL);
	close_end(&t->c.in);
	close_end(&t->c.out);
	close_end(&t->c.err);
	while (waitpid(t->c.pid, status, 0) < 0 && errno == EINTR)
		;
}

/* The line first, then the rest. */
static const struct json *parse(struct arena *a, struct str text,
				const char *magic, struct str *why)
{
	ptrdiff_t end = str_chr(text, '\n');
	const struct json *head, *rest;
	struct json_error err;

	head = json_parse(a, end < 0 ? text : str_sub(text, 0, (size_t)end),
			  &err);
	if (end < 0 || !head || !str_is(json_get_str(head, "magic"), magic) ||
	    json_get_int(head, "version", 0) != 1) {
		*why = str_printf(
			a,
			"its first line is not {\"magic\":\"%s\",\"version\":1}",
			magic);
		return NULL;
	}
	text = str_sub(text, (size_t)end + 1, text.n);
	rest = str_utf8_valid(text) ? json_parse(a, text, &err) : NULL;
	if (!rest)
		*why = STR("what follows its first line is not JSON");
	return rest;
}

const struct json *encrypt_program(struct arena *a, const char *const *argv,
				   const char *magic, struct str input,
				   struct str *why)
{
	const struct child_options o = { .argv = argv,
					 .in = CHILD_PIPE,
					 .out = CHILD_PIPE,
					 .err = CHILD_PIPE };
	struct talk t = { .input = input, .out = BUF_INIT, .said = BUF_INIT };
	const struct json *answer = NULL;
	int status = 0;
	bool in_time;

	t.until = (int64_t)clock_ms() + SECONDS * 1000;
	if (child_start(&o, &t.c)) {
		*why = str_printf(a, "%s cannot be run: %s", argv[0],
				  strerror(errno));
		return NULL;
	}
	signal(SIGPIPE, SIG_IGN);
	fcntl(t.c.in, F_SETFL, O_NONBLOCK);
	in_time = exchange(&t);
	end(&t, in_time, &status);
	if (!in_time)
		*why = str_printf(a, "%s did not answer in a minute", argv[0]);
	else if (status)
		*why = str_printf(a, "%s failed (%.*s): %.*s", argv[0],
				  STR_ARG(child_status_text(a, status)),
				  STR_ARG(str_trim(buf_view(&t.said))));
	else
		answer = parse(a, buf_dup(a, &t.out), magic, why);
	buf_release(&t.out);
	buf_release(&t.said);
	return answer;
}
