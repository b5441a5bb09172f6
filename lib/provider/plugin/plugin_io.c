/*
 * plugin_io.c - serving a plugin's descriptors: its handshake, its output, the
 * connection, its end
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crypto/crypto.h"
#include "provider/plugin/plugin_int.h"

enum {
	CHUNK = 256 << 10,
	LINE_MAX_BYTES = 1 << 20, /* a longer line of output is cut */
	PANIC_MAX = 16 << 10,
};

static ssize_t plugin_read(struct plugin *p, void *to, size_t n)
{
	return p->tls ? tls_read(p->tls, to, n)
		      : recv(p->fds[FD_SOCKET], to, n, 0);
}

/* The two ways bytes travel, encrypted or not: as read(2) and write(2) on a
 * non-blocking descriptor. */
static ssize_t plugin_write(struct plugin *p, const void *from, size_t n)
{
	return p->tls ? tls_write(p->tls, from, n)
		      : send(p->fds[FD_SOCKET], from, n, MSG_NOSIGNAL);
}

/* --- what it prints --- */

static void keep_panic(struct plugin *p, struct str line)
{
	if (!p->panicking &&
	    (str_starts(line, "panic: ") || str_starts(line, "fatal error: ")))
		p->panicking = true;
	if (p->panicking && p->panic.len + line.n < PANIC_MAX) {
		buf_str(&p->panic, line);
		buf_putc(&p->panic, '\n');
	}
}

static void output_line(struct plugin *p, int which, struct str line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (!line.n)
		return;
	if (which == FD_ERR) {
		keep_panic(p, line);
		plugin_log_line(&p->log, p->log_name, line);
	} else {
		plugin_log_write(&p->log, LOG_WARN, p->log_name, line);
	}
}

/* Takes the plugin's output on FD_OUT (once it is ready) or FD_ERR. */
static void plugin_output(struct plugin *p, int which, struct str bytes)
{
	struct buf *b = &p->line[which];

	while (bytes.n) {
		ptrdiff_t nl = str_chr(bytes, '\n');
		size_t n = nl < 0 ? bytes.n : (size_t)nl;

		if (nl >= 0 && !b->len) {
			output_line(p, which, str_sub(bytes, 0, n));
		} else {
			size_t room = LINE_MAX_BYTES - b->len;

			buf_add(b, bytes.p, n < room ? n : room);
			if (nl >= 0) {
				output_line(p, which, buf_view(b));
				buf_set_len(b, 0);
			}
		}
		bytes = str_sub(bytes, nl < 0 ? n : n + 1, bytes.n);
	}
}

static void last_line(struct plugin *p, int which)
{
	if (p->line[which].len)
		output_line(p, which, buf_view(&p->line[which]));
	buf_set_len(&p->line[which], 0);
}

/* --- its end --- */

void plugin_close_fd(struct plugin *p, int which)
{
	loop_unwatch(p->watch[which]);
	p->watch[which] = NULL;
	if (p->fds[which] >= 0)
		close(p->fds[which]);
	p->fds[which] = -1;
}

static void reap(struct plugin *p)
{
	int status = 0;

	if (p->reaped || p->child.pid < 0)
		return;
	if (waitpid(p->child.pid, &status, WNOHANG) == 0)
		return;
	p->reaped = true;
	p->wait_status = status;
	plugin_close_fd(p, FD_PROCESS);
	plugin_gone(p);
}

/* Gives a plugin that closed its connection a moment to say why. */
static void last_words(struct plugin *p)
{
	for (int ms = 0; ms < 500; ms += 25) {
		reap(p);
		if (p->reaped || p->child.pid < 0)
			break;
		plugin_poll(p, 25);
	}
	/* A process that it started may hold the pipe open forever. */
	for (int i = 0; i < 64 && p->fds[FD_ERR] >= 0; i++)
		if (plugin_poll(p, 0) <= 0)
			break;
}

void plugin_fail(struct plugin *p, struct str why)
{
	struct queued *q, *next;

	if (p->state == PLUGIN_DEAD)
		return;
	p->state = PLUGIN_DEAD;
	loop_cancel(p->patience);
	p->patience = NULL;
	plugin_close_fd(p, FD_SOCKET);
	if (!p->closing)
		last_words(p);
	if (p->reaped)
		p->death = str_printf(
			&p->arena, "%.*s (%.*s)", STR_ARG(why),
			STR_ARG(child_status_text(&p->arena, p->wait_status)));
	else
		p->death = str_dup(&p->arena, why);
	if (p->grpc)
		grpc_fail(p->grpc, GRPC_UNAVAILABLE, p->death);
	q = p->queue;
	p->queue = NULL;
	p->queue_tail = &p->queue;
	for (; q; q = next) {
		next = q->next;
		plugin_answer(q, GRPC_UNAVAILABLE, p->death);
	}
}

/* --- the connection --- */

static void set_socket_events(struct plugin *p)
{
	if (p->watch[FD_SOCKET])
		loop_watch_set(p->watch[FD_SOCKET],
			       LOOP_READ | (p->sent < p->out.len ? LOOP_WRITE
								 : 0u));
}

void plugin_flush(struct plugin *p)
{
	if (p->state != PLUGIN_READY)
		return;
	if (grpc_output(p->grpc, &p->out) < 0) {
		plugin_fail(p, STR("the connection to it broke"));
		return;
	}
	while (p->sent < p->out.len) {
		ssize_t n = plugin_write(p, p->out.p + p->sent,
					 p->out.len - p->sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0) /* it may have said more: reading finds the end */
			break;
		p->sent += (size_t)n;
	}
	if (p->sent == p->out.len) {
		buf_set_len(&p->out, 0);
		p->sent = 0;
		if (p->out.cap > (size_t)1 << 20) /* one large message */
			buf_release(&p->out);
	}
	set_socket_events(p);
}

static void serve_socket(struct plugin *p)
{
	char *chunk = xmalloc(CHUNK);

	while (p->state == PLUGIN_READY) {
		ssize_t n = plugin_read(p, chunk, CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			plugin_flush(p);
			break;
		}
		if (n <= 0 ||
		    grpc_input(p->grpc, (struct str){ chunk, (size_t)n }) < 0) {
			plugin_fail(p, STR("it closed the connection"));
			break;
		}
		if (n < CHUNK && !p->tls) {
			plugin_flush(p);
			break;
		}
	}
	free(chunk);
}

/* --- the handshake --- */

static void greeting(struct plugin *p, struct str line)
{
	struct str why;

	if (handshake_parse(&p->arena, line, &p->handshake, &why) < 0) {
		plugin_fail(p,
			    str_printf(&p->arena,
				       "its handshake is not a plugin's: %.*s",
				       STR_ARG(why)));
		return;
	}
	handshake_close_socket(&p->arena, &p->handshake);
	plugin_connect(p);
}

void plugin_connect(struct plugin *p)
{
	struct queued *q;
	int fd = handshake_connect(&p->handshake);

	if (fd < 0) {
		plugin_fail(p, str_printf(&p->arena, "connecting to %.*s: %s",
					  STR_ARG(p->handshake.address),
					  strerror(errno)));
		return;
	}
	p->fds[FD_SOCKET] = fd;
	if (p->tls && tls_connect(p->tls, fd, p->handshake.certificate) < 0) {
		plugin_fail(p, STR("its certificate makes no sense"));
		return;
	}
	p->grpc = grpc_new();
	if (!p->grpc) {
		plugin_fail(p, STR("no connection could be made"));
		return;
	}
	loop_cancel(p->patience);
	p->patience = NULL;
	p->state = PLUGIN_READY;
	plugin_ready(p);
	q = p->queue;
	p->queue = NULL;
	p->queue_tail = &p->queue;
	while (q) {
		struct queued *next = q->next;

		plugin_submit(q);
		q = next;
	}
	plugin_flush(p);
}

/* FD_OUT before the handshake. */
static void read_greeting(struct plugin *p, struct str bytes)
{
	struct buf *b = &p->line[FD_OUT];
	ptrdiff_t nl = str_chr(bytes, '\n');
	struct str line;

	buf_add(b, bytes.p, nl < 0 ? bytes.n : (size_t)nl);
	if (nl < 0 && b->len > HANDSHAKE_LINE_MAX) {
		plugin_fail(p, STR("it printed no handshake"));
		return;
	}
	if (nl < 0)
		return;
	line = buf_dup(&p->arena, b);
	buf_set_len(b, 0);
	greeting(p, line);
	plugin_output(p, FD_OUT, str_sub(bytes, (size_t)nl + 1, bytes.n));
}

/* --- pipes and the process --- */

static void serve_pipe(struct plugin *p, int which)
{
	char chunk[16384];
	ssize_t n = read(p->fds[which], chunk, sizeof(chunk));
	struct str bytes = { chunk, n > 0 ? (size_t)n : 0 };

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0) {
		if (which == FD_OUT && p->state == PLUGIN_STARTING)
			read_greeting(p, bytes);
		else
			plugin_output(p, which, bytes);
		return;
	}
	plugin_close_fd(p, which);
	last_line(p, which);
	if (which == FD_OUT && p->state == PLUGIN_STARTING)
		plugin_fail(p, STR("it ended before its handshake"));
}

static void serve_process(struct plugin *p)
{
	reap(p);
	/* Read what it sent before it ended. */
	if (p->reaped && p->state == PLUGIN_READY)
		serve_socket(p);
	if (p->reaped)
		plugin_fail(p, STR("it ended"));
}

void plugin_serve(struct plugin *p, int which)
{
	if (p->fds[which] < 0)
		return;
	switch (which) {
	case FD_SOCKET:
		serve_socket(p);
		break;
	case FD_PROCESS:
		serve_process(p);
		break;
	default:
		serve_pipe(p, which);
	}
}

int plugin_poll(struct plugin *p, int ms)
{
	struct pollfd fds[NFDS];
	int n;

	for (int i = 0; i < NFDS; i++)
		fds[i] = (struct pollfd){ .fd = p->fds[i], .events = POLLIN };
	if (p->sent < p->out.len)
		fds[FD_SOCKET].events |= POLLOUT;
	n = poll(fds, NFDS, ms);
	if (n <= 0)
		return n;
	/* Output first: it may say why the connection is gone. */
	for (int i = 0; i < NFDS; i++)
		if (fds[i].revents && p->fds[i] == fds[i].fd)
			plugin_serve(p, i);
	return n;
}
