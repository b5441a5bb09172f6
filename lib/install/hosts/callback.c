/* callback.c - see hosts_int.h */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "install/hosts/hosts_int.h"
#include "base/product.h"
#include "config/source/url.h"

enum { LONGEST_REQUEST = 1 << 16, ONCE = 4096, BACKLOG = 16, MOST = 64 };

struct callback {
	struct arena *a;
	struct loop *loop;
	struct str address, state;
	callback_fn *fn;
	void *data;
	int fd;
	struct loop_watch *watch;
	struct page_visit *visits;
	size_t nvisits;
	bool taken;
};

struct page_visit {
	struct callback *owner;
	int fd;
	struct loop_watch *watch;
	struct buf request;
	struct page_visit *next;
};

static const char *page(struct arena *a)
{
	return arena_printf(
		a,
		"<!doctype html>\n"
		"<title>%s login</title>\n"
		"<p>The host has sent its answer to %s. This page can be closed;\n"
		"what came of it stands in the terminal where <code>%s login</code> runs.</p>\n",
		product_name(), product_name(), product_command());
}

/* --- a visit --- */

static void end_visit(struct page_visit *v)
{
	struct page_visit **at = &v->owner->visits;

	while (*at != v)
		at = &(*at)->next;
	*at = v->next;
	v->owner->nvisits--;
	loop_unwatch(v->watch);
	close(v->fd);
	buf_release(&v->request);
	free(v);
}

static void answer(const struct page_visit *v, const char *status,
		   const char *body)
{
	struct buf b = BUF_INIT;

	buf_addf(&b,
		 "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\n"
		 "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		 status, strlen(body), body);
	send(v->fd, b.p, b.len, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(v->fd, SHUT_WR);
	buf_release(&b);
}

/* The query of METHOD TARGET HTTP/1.1; may be empty. */
static struct str query_of(struct str request)
{
	ptrdiff_t line = str_chr(request, '\r'), from, to;

	request.n = line < 0 ? request.n : (size_t)line;
	from = str_chr(request, '?');
	if (from < 0)
		return STR_NONE;
	request = str_sub(request, (size_t)from + 1, request.n);
	to = str_chr(request, ' ');
	return to < 0 ? STR_NONE : str_sub(request, 0, (size_t)to);
}

static void take(struct page_visit *v)
{
	struct callback *c = v->owner;
	struct str query = query_of(buf_view(&v->request));
	struct str code = url_parameter(c->a, query, "code");
	const bool good = !c->taken && code.n &&
			  str_eq(url_parameter(c->a, query, "state"), c->state);

	if (!good) {
		answer(v, "400 Bad Request", "");
		end_visit(v);
		return;
	}
	c->taken = true;
	answer(v, "200 OK", page(c->a));
	end_visit(v);
	c->fn(c->data, code);
}

static void on_request(void *data, int fd, unsigned events)
{
	struct page_visit *v = data;
	ssize_t n;

	(void)events;
	buf_grow(&v->request, ONCE);
	n = read(fd, v->request.p + v->request.len, ONCE);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0 || v->request.len > LONGEST_REQUEST) {
		end_visit(v);
		return;
	}
	v->request.len += (size_t)n;
	v->request.p[v->request.len] = '\0';
	if (str_find(buf_view(&v->request), STR("\r\n\r\n")) >= 0)
		take(v);
}

static void on_visitor(void *data, int fd, unsigned events)
{
	struct callback *c = data;
	struct page_visit *v;
	int got = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (got < 0)
		return;
	if (c->nvisits == MOST) {
		close(got);
		return;
	}
	v = xcalloc(1, sizeof(*v));
	*v = (struct page_visit){ .owner = c, .fd = got, .next = c->visits };
	c->visits = v;
	c->nvisits++;
	v->watch = loop_watch(c->loop, got, LOOP_READ, on_request, v);
}

/* --- listening --- */

static bool try_port(int fd, int port)
{
	const struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	return !bind(fd, (const struct sockaddr *)&at, sizeof(at)) &&
	       !listen(fd, BACKLOG);
}

/* From somewhere in the range on, so that several listen at once with few
 * tries. */
static int find_port(int min, int max, int *fd)
{
	const int all = max - min + 1, from = (int)(getpid() % all);

	for (int i = 0; i < all; i++) {
		const int port = min + (from + i) % all;

		*fd = socket(AF_INET,
			     SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (*fd < 0)
			return -1;
		if (try_port(*fd, port))
			return port;
		close(*fd);
	}
	return -1;
}

struct callback *callback_listen(struct arena *a, struct loop *l, int min_port,
				 int max_port, struct str state,
				 callback_fn *fn, void *data)
{
	struct callback *c = ARENA_NEW(a, struct callback);
	int fd = -1, port = find_port(min_port, max_port, &fd);

	if (port < 0)
		return NULL;
	*c = (struct callback){ .a = a,
				.loop = l,
				.state = state,
				.fn = fn,
				.data = data,
				.fd = fd };
	c->address = str_printf(a, "http://localhost:%d/login", port);
	c->watch = loop_watch(l, fd, LOOP_READ, on_visitor, c);
	return c;
}

struct str callback_address(const struct callback *c)
{
	return c->address;
}

void callback_close(struct callback *c)
{
	if (!c)
		return;
	while (c->visits)
		end_visit(c->visits);
	loop_unwatch(c->watch);
	close(c->fd);
}
