/* fetch.c - see fetch.h; the other end is lib/net/lines.c */
#include "remote/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/child.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum { ONCE = 1 << 16 };

struct pending {
	bool open, background;
	fetch_fn *fn;
	fetch_progress_fn *progress;
	void *data;
};

struct fetch {
	struct arena *a;
	struct loop *loop;
	struct child child;
	bool started;
	struct str below;
	struct str dead; /* why no more can be asked */
	struct loop_watch *in, *out;
	struct buf to, from; /* not written yet; not a whole line yet */
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

static void read_headers(struct fetch *f, const struct json *j,
			 struct fetch_answer *out)
{
	struct fetch_header *all;

	if (!j || j->kind != JSON_OBJECT)
		return;
	all = ARENA_ARRAY(f->a, struct fetch_header, j->len);
	for (uint32_t i = 0; i < j->len; i++)
		if (j->members[i].value.kind == JSON_STRING)
			all[out->nheaders++] = (struct fetch_header){
				j->members[i].name, j->members[i].value.text
			};
	out->headers = all;
}

static void take_answer(struct fetch *f, size_t id, const struct json *j)
{
	struct fetch_answer answer = {
		.error = json_get_str(j, "error"),
		.status = (int)json_get_int(j, "status", 0),
		.tries = (int)json_get_int(j, "tries", 1),
		.url = json_get_str(j, "url"),
		.body = json_get_str(j, "body"),
		.size = json_get_int(j, "size", 0),
	};
	struct str coded = json_get_str(j, "body64");

	if (coded.n)
		base64_decode(f->a, coded, &answer.body);
	read_headers(f, json_get(j, "headers"), &answer);
	settle(f, id, &answer);
}

static void take_line(struct fetch *f, struct str line)
{
	struct json_error why;
	const struct json *j = json_parse(f->a, line, &why);
	int64_t id = json_get_int(j, "id", -1);
	const struct pending *p;

	if (id < 0 || (size_t)id >= f->len || !f->all[id].open)
		return;
	p = &f->all[id];
	if (!json_get(j, "have"))
		take_answer(f, (size_t)id, j);
	else if (p->progress)
		p->progress(p->data, json_get_int(j, "have", 0),
			    json_get_int(j, "all", -1));
}

static void take_lines(struct fetch *f)
{
	size_t from = 0;

	for (size_t i = 0; i < f->from.len; i++) {
		if (f->from.p[i] != '\n')
			continue;
		take_line(f, str_sub(buf_view(&f->from), from, i));
		from = i + 1;
	}
	memmove(f->from.p, f->from.p + from, f->from.len - from);
	buf_set_len(&f->from, f->from.len - from);
}

static void on_output(void *data, int fd, unsigned events)
{
	struct fetch *f = data;
	ssize_t n;

	(void)events;
	buf_grow(&f->from, ONCE);
	n = read(fd, f->from.p + f->from.len, ONCE);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		on_end(f);
		return;
	}
	f->from.len += (size_t)n;
	f->from.p[f->from.len] = '\0';
	if (memchr(f->from.p + f->from.len - n, '\n', (size_t)n))
		take_lines(f);
}

/* --- requests --- */

static void on_writable(void *data, int fd, unsigned events)
{
	struct fetch *f = data;
	ssize_t n = write(fd, f->to.p, f->to.len);

	(void)events;
	if (n < 0 && errno != EINTR && errno != EAGAIN) {
		/* Reading notices its end. */
		buf_set_len(&f->to, 0);
	} else if (n > 0) {
		memmove(f->to.p, f->to.p + n, f->to.len - (size_t)n);
		buf_set_len(&f->to, f->to.len - (size_t)n);
	}
	if (!f->to.len) {
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
					 .err = CHILD_INHERIT };

	if (child_start(&o, &f->child)) {
		f->dead = str_printf(f->a, "%s cannot be started: %s", argv[0],
				     strerror(errno));
		return;
	}
	f->started = true;
	fcntl(f->child.in, F_SETFL, O_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
}

static void write_request(struct fetch *f, const struct fetch_request *r,
			  size_t id, bool progress)
{
	const struct {
		const char *name;
		struct str text;
	} texts[] = { { "url", r->url },
		      { "method", r->method },
		      { "token", r->token },
		      { "body", r->body },
		      { "to", r->to } };
	struct jw w = JW_INIT(&f->to);

	jw_object(&w);
	jw_member_int(&w, "id", (int64_t)id);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].text.n)
			jw_member_str(&w, texts[i].name, texts[i].text);
	if (r->nheaders) {
		jw_key(&w, "headers");
		jw_object(&w);
		for (size_t i = 0; i < r->nheaders; i++) {
			jw_key_str(&w, r->headers[i].name);
			jw_str(&w, r->headers[i].value);
		}
		jw_object_end(&w);
	}
	jw_member_int(&w, "most", r->most);
	jw_member_int(&w, "retries", r->retries);
	jw_member_int(&w, "redirects",
		      r->redirects ? r->redirects : FETCH_REDIRECTS);
	jw_member_int(&w, "seconds", r->seconds);
	if (progress)
		jw_member_bool(&w, "progress", true);
	jw_object_end(&w);
	buf_putc(&f->to, '\n');
}

static void fail_dead(void *data)
{
	struct fetch *f = data;

	fail_all(f, f->dead);
}

void fetch_start_progress(struct fetch *f, const struct fetch_request *r,
			  fetch_fn *fn, fetch_progress_fn *progress, void *data)
{
	if (f->len == f->cap) {
		f->cap = f->cap ? f->cap * 2 : 16;
		f->all = xrealloc(f->all, f->cap * sizeof(*f->all));
	}
	f->all[f->len] =
		(struct pending){ true, r->background, fn, progress, data };
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
	write_request(f, r, f->len++, progress != NULL);
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

struct waited {
	struct fetch_answer *out;
	fetch_progress_fn *progress;
	void *data;
};

static void keep_answer(void *data, const struct fetch_answer *answer)
{
	*((const struct waited *)data)->out = *answer;
}

static void pass_progress(void *data, int64_t have, int64_t all)
{
	const struct waited *w = data;

	w->progress(w->data, have, all);
}

int fetch_wait(struct fetch *f, const struct fetch_request *r,
	       struct fetch_answer *out)
{
	return fetch_wait_progress(f, r, NULL, NULL, out);
}

int fetch_wait_progress(struct fetch *f, const struct fetch_request *r,
			fetch_progress_fn *progress, void *data,
			struct fetch_answer *out)
{
	struct waited w = { out, progress, data };

	fetch_start_progress(f, r, keep_answer, progress ? pass_progress : NULL,
			     &w);
	fetch_run(f);
	return out->error.n ? -1 : 0;
}

struct str fetch_answer_header(const struct fetch_answer *answer,
			       const char *name)
{
	for (size_t i = 0; i < answer->nheaders; i++)
		if (str_is(answer->headers[i].name, name))
			return answer->headers[i].value;
	return STR_NONE;
}

struct str fetch_status_text(struct arena *a, int status)
{
	static const struct {
		int status;
		const char *text;
	} all[] = {
		{ 200, "OK" },
		{ 204, "No Content" },
		{ 301, "Moved Permanently" },
		{ 302, "Found" },
		{ 303, "See Other" },
		{ 304, "Not Modified" },
		{ 307, "Temporary Redirect" },
		{ 308, "Permanent Redirect" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 402, "Payment Required" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" },
		{ 408, "Request Timeout" },
		{ 409, "Conflict" },
		{ 410, "Gone" },
		{ 418, "I'm a teapot" },
		{ 422, "Unprocessable Entity" },
		{ 423, "Locked" },
		{ 425, "Too Early" },
		{ 429, "Too Many Requests" },
		{ 451, "Unavailable For Legal Reasons" },
		{ 500, "Internal Server Error" },
		{ 501, "Not Implemented" },
		{ 502, "Bad Gateway" },
		{ 503, "Service Unavailable" },
		{ 504, "Gateway Timeout" },
		{ 507, "Insufficient Storage" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].status == status)
			return str_printf(a, "%d %s", status, all[i].text);
	return str_int(a, status);
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

struct str host_text(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n;) {
		size_t n = utf8_len(s.p + i, s.n - i);
		uint32_t c = n ? utf8_rune(s.p + i, n) : 0;

		if ((c < ' ' && c != '\n' && c != '\t') ||
		    (c >= 0x7f && c < 0xa0))
			buf_putc(&b, '?');
		else
			buf_add(&b, s.p + i, n);
		i += n ? n : 1;
	}
	return buf_take(a, &b);
}
