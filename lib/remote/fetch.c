/* fetch.c - see fetch.h; the other end is lib/net/lines.c */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/fetch.h"
#include "remote/remote_int.h"
#include "config/source/url.h"
#include "base/child.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "trace/trace.h"

enum { ONCE = 1 << 16 };

struct pending {
	bool open, background;
	fetch_fn *fn;
	fetch_progress_fn *progress;
	void *data;
	struct trace_span *span;
};

/* An answer whose body follows its line. */
struct coming {
	const struct json *head;
	size_t id;
	char *body; /* NULL: none is expected */
	size_t have, size;
};

struct fetch {
	struct arena *a;
	struct loop *loop;
	struct child child;
	bool started;
	struct str below;
	struct str dead; /* why no more can be asked */
	struct loop_watch *in, *out;
	struct buf to;   /* for tf-fetch */
	size_t written;  /* of these */
	struct buf from; /* not a whole line yet */
	struct coming coming;
	struct pending *all; /* by id */
	size_t len, cap;
	size_t open; /* without an answer */
	size_t left; /* of these, not in the background */
	bool idle;   /* left is 0 */
};

/* --- the program --- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void stop_watching(struct fetch *f)
{
	loop_unwatch(f->in);
	loop_unwatch(f->out);
	f->in = f->out = NULL;
	close_fd(&f->child.in);
	close_fd(&f->child.out);
}

static void settle(struct fetch *f, size_t id, const struct fetch_answer *a)
{
	struct pending p = f->all[id];

	if (a->status)
		trace_span_int(p.span, "http.response.status_code", a->status);
	trace_span_end(p.span, a->error.n || a->status >= 400);
	f->all[id].open = false;
	f->left -= !p.background;
	if (--f->open == 0) { /* the loop has nothing to wait for here */
		loop_unwatch(f->out);
		f->out = NULL;
	}
	p.fn(p.data, a);
	f->idle = f->left == 0;
}

static void fail_all(struct fetch *f, struct str why)
{
	f->dead = why;
	stop_watching(f);
	for (size_t i = 0; i < f->len; i++)
		if (f->all[i].open)
			settle(f, i, &(struct fetch_answer){ .error = why });
}

static void on_end(struct fetch *f)
{
	int status = 0;

	while (waitpid(f->child.pid, &status, 0) < 0 && errno == EINTR)
		;
	f->started = false;
	fail_all(f, str_printf(f->a, "tf-fetch has ended (%.*s)",
			       STR_ARG(child_status_text(f->a, status))));
}

/* --- answers --- */

/* Once its body is there, if one follows the line. */
static void take_answer(struct fetch *f)
{
	const struct coming c = f->coming;
	struct fetch_answer answer;

	f->coming = (struct coming){ 0 };
	fetch_read(f->a, c.head, &answer);
	if (c.body)
		answer.body = (struct str){ c.body, c.size };
	settle(f, c.id, &answer);
}

static void take_line(struct fetch *f, struct str line)
{
	struct json_error why;
	const struct json *j = json_parse(f->a, line, &why);
	const int64_t id = json_get_int(j, "id", -1);
	const int64_t size = json_get_int(j, "body_size", 0);
	const struct pending *p;

	if (id < 0 || (size_t)id >= f->len || !f->all[id].open)
		return;
	p = &f->all[id];
	if (json_get(j, "have")) {
		if (p->progress)
			p->progress(p->data, json_get_int(j, "have", 0),
				    json_get_int(j, "all", -1));
		return;
	}
	f->coming = (struct coming){ j, (size_t)id, NULL, 0,
				     size > 0 ? (size_t)size : 0 };
	if (size <= 0) {
		take_answer(f);
		return;
	}
	f->coming.body = arena_alloc(f->a, (size_t)size + 1);
	f->coming.body[size] = '\0';
}

/* Returns how many bytes of s were taken. */
static size_t take_body(struct fetch *f, struct str s)
{
	struct coming *c = &f->coming;
	const size_t n = s.n < c->size - c->have ? s.n : c->size - c->have;

	memcpy(c->body + c->have, s.p, n);
	c->have += n;
	if (c->have == c->size)
		take_answer(f);
	return n;
}

static void take_output(struct fetch *f, struct str s)
{
	while (s.n) {
		const ptrdiff_t end = f->coming.body ? -1 : str_chr(s, '\n');
		size_t n = s.n;

		if (f->coming.body) {
			n = take_body(f, s);
		} else if (end < 0) {
			buf_str(&f->from, s);
		} else {
			n = (size_t)end + 1;
			buf_add(&f->from, s.p, n - 1);
			take_line(f, buf_view(&f->from));
			buf_set_len(&f->from, 0);
		}
		s = str_sub(s, n, s.n);
	}
}

static void on_output(void *data, int fd, unsigned events)
{
	struct fetch *f = data;
	char some[ONCE];
	ssize_t n;

	(void)events;
	n = read(fd, some, sizeof(some));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0)
		on_end(f);
	else
		take_output(f, (struct str){ some, (size_t)n });
}

/* --- requests --- */

static void on_writable(void *data, int fd, unsigned events)
{
	struct fetch *f = data;
	ssize_t n = write(fd, f->to.p + f->written, f->to.len - f->written);

	(void)events;
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		f->written = f->to.len; /* reading notices its end */
	else if (n > 0)
		f->written += (size_t)n;
	if (f->written == f->to.len) {
		buf_release(&f->to); /* it may have been large */
		f->written = 0;
		loop_unwatch(f->in);
		f->in = NULL;
	}
}

static void start_program(struct fetch *f)
{
	const char *tmp = getenv("TMPDIR");
	const char *const argv[] = {
		child_beside(f->a, "tf-fetch"),
		arena_printf(f->a, "-below=%s", tmp && *tmp ? tmp : "/tmp"),
		f->below.n
			? arena_printf(f->a, "-below=%.*s", STR_ARG(f->below))
			: NULL,
		NULL,
	};
	const struct child_options o = { .argv = argv,
					 .in = CHILD_PIPE,
					 .out = CHILD_PIPE,
					 .err = CHILD_INHERIT,
					 .own_group = true };

	if (child_start(&o, &f->child)) {
		f->dead = str_printf(f->a, "%s cannot be started: %s", argv[0],
				     strerror(errno));
		return;
	}
	f->started = true;
	fcntl(f->child.in, F_SETFL, O_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
}

static void fail_dead(void *data)
{
	struct fetch *f = data;

	fail_all(f, f->dead);
}

/* Of the URL only the host: all else may be secret. */
static struct trace_span *span_of(struct arena *a,
				  const struct fetch_request *r)
{
	struct trace_span *s = trace_span_begin(NULL, "HTTP request");

	trace_span_client(s);
	trace_span_text(s, "http.request.method",
			r->method.n ? r->method : STR("GET"));
	if (s)
		trace_span_text(s, "server.address", url_host_port(a, r->url));
	return s;
}

void fetch_start_progress(struct fetch *f, const struct fetch_request *r,
			  fetch_fn *fn, fetch_progress_fn *progress, void *data)
{
	if (f->len == f->cap) {
		f->cap = f->cap ? f->cap * 2 : 16;
		f->all = xrealloc(f->all, f->cap * sizeof(*f->all));
	}
	f->all[f->len] = (struct pending){ true, r->background,   fn, progress,
					   data, span_of(f->a, r) };
	f->open++;
	f->left += !r->background;
	f->idle = f->left == 0;
	if (!f->started && !f->dead.n)
		start_program(f);
	if (f->dead.n) {
		f->len++;
		loop_defer(f->loop, fail_dead, f);
		return;
	}
	fetch_write(&f->to, r, f->len++, progress != NULL);
	if (!f->in)
		f->in = loop_watch(f->loop, f->child.in, LOOP_WRITE,
				   on_writable, f);
	if (!f->out)
		f->out = loop_watch(f->loop, f->child.out, LOOP_READ, on_output,
				    f);
}

void fetch_start(struct fetch *f, const struct fetch_request *r, fetch_fn *fn,
		 void *data)
{
	fetch_start_progress(f, r, fn, NULL, data);
}

void fetch_run(struct fetch *f)
{
	if (f->left)
		loop_run(f->loop, &f->idle);
}

static void keep_answer(void *data, const struct fetch_answer *answer)
{
	*(struct fetch_answer *)data = *answer;
}

int fetch_wait(struct fetch *f, const struct fetch_request *r,
	       struct fetch_answer *out)
{
	fetch_start(f, r, keep_answer, out);
	fetch_run(f);
	return out->error.n ? -1 : 0;
}

struct fetch *fetch_new(struct arena *a, struct loop *l, struct str below)
{
	struct fetch *f = xcalloc(1, sizeof(*f));

	f->a = a;
	f->loop = l;
	f->below = below;
	f->idle = true;
	return f;
}

void fetch_free(struct fetch *f)
{
	if (!f)
		return;
	stop_watching(f);
	if (f->started) {
		kill(f->child.pid, SIGTERM);
		while (waitpid(f->child.pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	buf_release(&f->to);
	buf_release(&f->from);
	free(f->all);
	free(f);
}
