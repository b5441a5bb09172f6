/* server.c - HTTP/2 by libnghttp2: connections, streams, frames of gRPC; in the
 * clear, or with mutual TLS around it */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nghttp2/nghttp2.h>

#include "secure.h"
#include "server.h"

struct server {
	struct loop *loop;
	struct secure *tls; /* or NULL */
	call_fn *fn;
	void *data;
};

struct conn {
	struct server *server;
	int fd;
	struct ssl_st *tls; /* or NULL */
	struct loop_watch *watch;
	nghttp2_session *h2;
	struct stream *streams;
	struct buf unsent; /* what the socket did not take yet */
};

/* One call on the wire.  It ends when it is answered and sent, or when the
 * peer gives it up (conn is NULL from then on); freed when both the transport
 * and the handler are done with it. */
struct stream {
	struct conn *conn;
	struct stream *next, **link;
	int32_t id;
	struct call call;
	struct buf in, out;
	size_t sent;
	int status;
	char text[200];
	bool handed; /* to the handler, which has not answered yet */
};

static void stream_free(struct stream *s)
{
	buf_release(&s->in);
	buf_release(&s->out);
	arena_release(&s->call.arena);
	free(s);
}

static void stream_detach(struct stream *s)
{
	s->conn = NULL;
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	if (!s->handed)
		stream_free(s);
}

/* --- sending --- */

static void conn_close(struct conn *c)
{
	while (c->streams)
		stream_detach(c->streams);
	loop_unwatch(c->watch);
	nghttp2_session_del(c->h2);
	buf_release(&c->unsent);
	secure_close(c->tls);
	close(c->fd);
	free(c);
}

static ssize_t conn_write(struct conn *c, const void *from, size_t n)
{
	return c->tls ? secure_write(c->tls, from, n)
		      : send(c->fd, from, n, MSG_NOSIGNAL);
}

static ssize_t conn_read(struct conn *c, void *to, size_t n)
{
	return c->tls ? secure_read(c->tls, to, n) : recv(c->fd, to, n, 0);
}

static int conn_put(struct conn *c, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t k = conn_write(c, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0 && errno == EAGAIN)
			break;
		if (k < 0)
			return -1;
		p += k;
		n -= (size_t)k;
	}
	if (n)
		buf_add(&c->unsent, p, n);
	return 0;
}

static int conn_flush(struct conn *c)
{
	struct buf pending = c->unsent;
	int rc = 0;

	c->unsent = (struct buf)BUF_INIT;
	if (pending.len)
		rc = conn_put(c, (uint8_t *)pending.p, pending.len);
	buf_release(&pending);
	while (rc == 0 && !c->unsent.len) {
		const uint8_t *p;
		ssize_t n = nghttp2_session_mem_send(c->h2, &p);

		if (n <= 0) {
			rc = n < 0 ? -1 : 0;
			break;
		}
		rc = conn_put(c, p, (size_t)n);
	}
	loop_watch_set(c->watch,
		       LOOP_READ | (c->unsent.len ? LOOP_WRITE : 0));
	return rc;
}

static nghttp2_nv header(const char *name, const char *value)
{
	return (nghttp2_nv){ (uint8_t *)name, (uint8_t *)value, strlen(name),
			     strlen(value), NGHTTP2_NV_FLAG_NONE };
}

static ssize_t read_body(nghttp2_session *h2, int32_t id, uint8_t *out,
			 size_t room, uint32_t *flags,
			 nghttp2_data_source *source, void *data)
{
	struct stream *s = source->ptr;
	size_t n = s->out.len - s->sent;
	nghttp2_nv trailer = header("grpc-status", "0");

	(void)data;
	if (n > room)
		n = room;
	memcpy(out, s->out.p + s->sent, n);
	s->sent += n;
	if (s->sent == s->out.len) {
		*flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
		nghttp2_submit_trailer(h2, id, &trailer, 1);
	}
	return (ssize_t)n;
}

static void submit(struct stream *s)
{
	nghttp2_session *h2 = s->conn->h2;
	nghttp2_nv h[4] = { header(":status", "200"),
			    header("content-type", "application/grpc") };
	nghttp2_data_provider body = { .source.ptr = s,
				       .read_callback = read_body };
	char status[16];

	if (!s->status) {
		nghttp2_submit_response(h2, s->id, h, 2, &body);
		return;
	}
	snprintf(status, sizeof(status), "%d", s->status);
	h[2] = header("grpc-status", status);
	h[3] = header("grpc-message", s->text);
	nghttp2_submit_response(h2, s->id, h, 4, NULL);
}

static void answer(struct call *c)
{
	struct stream *s = c->stream;
	struct conn *conn = s->conn;

	s->handed = false;
	if (!conn) {
		stream_free(s);
		return;
	}
	submit(s);
	if (conn_flush(conn)) /* the stream may be gone */
		conn_close(conn);
}

void call_reply(struct call *c, const void *message, size_t n)
{
	uint8_t frame[5] = { 0, (uint8_t)(n >> 24), (uint8_t)(n >> 16),
			     (uint8_t)(n >> 8), (uint8_t)n };

	buf_add(&c->stream->out, frame, sizeof(frame));
	buf_add(&c->stream->out, message, n);
	answer(c);
}

/* grpc-message is percent-encoded; ours is plain text without '%'. */
void call_fail(struct call *c, int status, const char *message)
{
	c->stream->status = status;
	snprintf(c->stream->text, sizeof(c->stream->text), "%s", message);
	answer(c);
}

void call_leave(struct call *c)
{
	c->stream->handed = false;
	if (!c->stream->conn)
		stream_free(c->stream);
}

/* --- receiving --- */

static int on_begin_headers(nghttp2_session *h2, const nghttp2_frame *f,
			    void *data)
{
	struct conn *c = data;
	struct stream *s;

	if (f->hd.type != NGHTTP2_HEADERS ||
	    f->headers.cat != NGHTTP2_HCAT_REQUEST)
		return 0;
	s = xcalloc(1, sizeof(*s));
	s->conn = c;
	s->id = f->hd.stream_id;
	s->call.stream = s;
	s->link = &c->streams;
	s->next = c->streams;
	if (s->next)
		s->next->link = &s->next;
	c->streams = s;
	nghttp2_session_set_stream_user_data(h2, s->id, s);
	return 0;
}

static int on_header(nghttp2_session *h2, const nghttp2_frame *f,
		     const uint8_t *name, size_t nlen, const uint8_t *value,
		     size_t vlen, uint8_t flags, void *data)
{
	struct stream *s = nghttp2_session_get_stream_user_data(
		h2, f->hd.stream_id);
	struct str key = { (const char *)name, nlen };
	struct str text = { (const char *)value, vlen };

	(void)flags;
	(void)data;
	if (s && str_is(key, ":path") && vlen)
		s->call.method =
			str_dup(&s->call.arena, str_sub(text, 1, vlen));
	return 0;
}

static int on_data(nghttp2_session *h2, uint8_t flags, int32_t id,
		   const uint8_t *p, size_t n, void *data)
{
	struct stream *s = nghttp2_session_get_stream_user_data(h2, id);

	(void)flags;
	(void)data;
	if (s)
		buf_add(&s->in, p, n);
	return 0;
}

static void hand_over(struct stream *s)
{
	struct server *v = s->conn->server;
	const uint8_t *p = (const uint8_t *)s->in.p;
	size_t n;

	s->handed = true;
	if (s->in.len < 5) {
		call_fail(&s->call, GRPC_INVALID, "no message");
		return;
	}
	n = (size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4];
	if (p[0] || n != s->in.len - 5) {
		call_fail(&s->call, GRPC_INVALID, "not one plain message");
		return;
	}
	s->call.message = (struct str){ s->in.p + 5, n };
	v->fn(v->data, &s->call);
}

static void deferred(void *data)
{
	struct stream *s = data;

	if (s->conn) {
		hand_over(s);
		return;
	}
	stream_free(s);
}

/* Streams that the peer leaves open for messages of its own (go-plugin's
 * broker) never come to an end and are left alone.  Answers are not sent from
 * inside nghttp2's callbacks. */
static int on_frame(nghttp2_session *h2, const nghttp2_frame *f, void *data)
{
	struct conn *c = data;
	struct stream *s;

	if (!(f->hd.flags & NGHTTP2_FLAG_END_STREAM) ||
	    (f->hd.type != NGHTTP2_DATA && f->hd.type != NGHTTP2_HEADERS))
		return 0;
	s = nghttp2_session_get_stream_user_data(h2, f->hd.stream_id);
	if (!s)
		return 0;
	s->handed = true;
	loop_defer(c->server->loop, deferred, s);
	return 0;
}

static int on_close(nghttp2_session *h2, int32_t id, uint32_t code, void *data)
{
	struct stream *s = nghttp2_session_get_stream_user_data(h2, id);

	(void)code;
	(void)data;
	if (s)
		stream_detach(s);
	return 0;
}

/* Reads all input: data that TLS has buffered wakes nobody. */
static int conn_receive(struct conn *c)
{
	uint8_t p[16384];
	ssize_t n;

	while ((n = conn_read(c, p, sizeof(p))) > 0)
		if (nghttp2_session_mem_recv(c->h2, p, (size_t)n) < 0)
			return -1;
	return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

static void on_socket(void *data, int fd, unsigned events)
{
	struct conn *c = data;

	(void)fd;
	if (events & (LOOP_READ | LOOP_HANGUP) && conn_receive(c) < 0) {
		conn_close(c);
		return;
	}
	if (conn_flush(c))
		conn_close(c);
}

static nghttp2_session *new_session(struct conn *c)
{
	static const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1000 },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20 },
	};
	nghttp2_session_callbacks *cb;
	nghttp2_session *h2 = NULL;

	if (nghttp2_session_callbacks_new(&cb))
		return NULL;
	nghttp2_session_callbacks_set_on_begin_headers_callback(
		cb, on_begin_headers);
	nghttp2_session_callbacks_set_on_header_callback(cb, on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(cb, on_data);
	nghttp2_session_callbacks_set_on_frame_recv_callback(cb, on_frame);
	nghttp2_session_callbacks_set_on_stream_close_callback(cb, on_close);
	if (nghttp2_session_server_new(&h2, cb, c))
		h2 = NULL;
	nghttp2_session_callbacks_del(cb);
	if (h2)
		nghttp2_submit_settings(h2, NGHTTP2_FLAG_NONE, settings, 2);
	return h2;
}

static void on_listen(void *data, int fd, unsigned events)
{
	struct server *v = data;
	struct conn *c;
	int peer = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	(void)events;
	if (peer < 0)
		return;
	c = xcalloc(1, sizeof(*c));
	c->server = v;
	c->fd = peer;
	c->h2 = new_session(c);
	if (c->h2 && v->tls)
		c->tls = secure_accept(v->tls, peer);
	if (!c->h2 || (v->tls && !c->tls)) {
		nghttp2_session_del(c->h2);
		close(peer);
		free(c);
		return;
	}
	c->watch = loop_watch(v->loop, peer, LOOP_READ, on_socket, c);
	if (conn_flush(c))
		conn_close(c);
}

void serve(struct loop *l, int fd, struct secure *tls, call_fn *fn, void *data)
{
	struct server *v = xcalloc(1, sizeof(*v));

	v->loop = l;
	v->tls = tls;
	v->fn = fn;
	v->data = data;
	loop_watch(l, fd, LOOP_READ, on_listen, v);
}
