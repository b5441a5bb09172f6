/*
 * grpc.c - a client's gRPC session on nghttp2; see plugin_int.h
 *
 * Received data is acknowledged at once and the windows are wide: all of it was
 * requested, and each message is limited.
 */
#include <stdlib.h>
#include <nghttp2/nghttp2.h>

#include "provider/plugin/plugin_int.h"

/* --- framing --- */

void grpc_frame_prefix(unsigned char out[GRPC_PREFIX], size_t length)
{
	out[0] = 0;
	out[1] = (unsigned char)(length >> 24);
	out[2] = (unsigned char)(length >> 16);
	out[3] = (unsigned char)(length >> 8);
	out[4] = (unsigned char)length;
}

/* The message's length from a prefix, or the status it fails with. */
static enum grpc_status read_prefix(const char *p, size_t *length)
{
	const unsigned char *u = (const unsigned char *)p;

	if (u[0] != 0) /* we never offer a compression */
		return u[0] == 1 ? GRPC_UNIMPLEMENTED : GRPC_INTERNAL;
	*length = (size_t)u[1] << 24 | (size_t)u[2] << 16 | (size_t)u[3] << 8 |
		  u[4];
	return *length > GRPC_MESSAGE_MAX ? GRPC_RESOURCE_EXHAUSTED : GRPC_OK;
}

/* Takes whole messages from the front; *used says how much they were. */
static enum grpc_status take_messages(struct str s, size_t *used,
				      grpc_message_fn *fn, void *data)
{
	*used = 0;
	while (s.n - *used >= GRPC_PREFIX) {
		enum grpc_status st;
		size_t n;

		st = read_prefix(s.p + *used, &n);
		if (st != GRPC_OK)
			return st;
		if (s.n - *used - GRPC_PREFIX < n)
			break;
		fn(data, (struct str){ s.p + *used + GRPC_PREFIX, n });
		*used += GRPC_PREFIX + n;
	}
	return GRPC_OK;
}

enum grpc_status grpc_deframe(struct grpc_deframer *d, struct str bytes,
			      grpc_message_fn *fn, void *data)
{
	struct buf *b = &d->buf;
	enum grpc_status st;
	size_t used;

	if (b->len) {
		buf_str(b, bytes);
		bytes = buf_view(b);
	}
	st = take_messages(bytes, &used, fn, data);
	if (st != GRPC_OK)
		return st;
	if (bytes.p != b->p) {
		buf_add(b, bytes.p + used, bytes.n - used);
	} else if (used) {
		memmove(b->p, b->p + used, b->len - used);
		buf_set_len(b, b->len - used);
	}
	return GRPC_OK;
}

void grpc_deframer_release(struct grpc_deframer *d)
{
	buf_release(&d->buf);
}

/* --- a session --- */

enum {
	WINDOW = 64 << 20,
	TEXT_MAX = 64 << 10, /* of a grpc-message */
};

struct grpc_call {
	struct grpc *g;
	struct grpc_call *next, **link; /* among the running calls */
	int32_t stream;
	const struct grpc_handler *handler; /* NULL: it was told the end */
	void *data;
	struct buf out; /* the framed request */
	size_t sent;
	struct grpc_deframer in;
	int http_status; /* 0: none yet */
	int status;      /* -1: none yet */
	int broken;      /* GRPC_OK, or why the answer cannot be read */
	struct arena arena;
	struct str text; /* of the status */
};

struct grpc {
	nghttp2_session *h2;
	struct grpc_call *calls;
	bool broken; /* a call could not be submitted */
};

/* --- calls --- */

static void call_free(struct grpc_call *c)
{
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	buf_release(&c->out);
	grpc_deframer_release(&c->in);
	arena_release(&c->arena);
	free(c);
}

static void call_end(struct grpc_call *c, int status, struct str text)
{
	const struct grpc_handler *h = c->handler;

	c->handler = NULL;
	if (h)
		h->end(c->data, status, text);
	call_free(c);
}

static ssize_t read_request(nghttp2_session *s, int32_t id, uint8_t *to,
			    size_t room, uint32_t *flags,
			    nghttp2_data_source *source, void *user)
{
	struct grpc_call *c = source->ptr;
	size_t n = c->out.len - c->sent;

	(void)s, (void)id, (void)user;
	if (n > room)
		n = room;
	memcpy(to, c->out.p + c->sent, n);
	c->sent += n;
	if (c->sent == c->out.len)
		*flags |= NGHTTP2_DATA_FLAG_EOF;
	return (ssize_t)n;
}

#define NV(name, value) \
	{ \
		(uint8_t *)(name), (uint8_t *)(value), sizeof(name) - 1, \
			sizeof(value) - 1, \
			NGHTTP2_NV_FLAG_NO_COPY_NAME | \
				NGHTTP2_NV_FLAG_NO_COPY_VALUE \
	}

void grpc_start(struct grpc *g, const char *path, struct str message,
		const struct grpc_handler *h, void *data)
{
	struct grpc_call *c = xcalloc(1, sizeof(*c));
	const nghttp2_data_provider body = { { .ptr = c }, read_request };
	const nghttp2_nv headers[] = {
		NV(":method", "POST"),
		NV(":scheme", "http"),
		{ (uint8_t *)":path", (uint8_t *)path, 5, strlen(path),
		  NGHTTP2_NV_FLAG_NO_COPY_NAME },
		NV(":authority", "localhost"),
		NV("content-type", "application/grpc"),
		NV("te", "trailers"),
	};
	unsigned char prefix[GRPC_PREFIX];

	c->g = g;
	c->handler = h;
	c->data = data;
	c->status = -1;
	c->next = g->calls;
	c->link = &g->calls;
	if (c->next)
		c->next->link = &c->next;
	g->calls = c;
	grpc_frame_prefix(prefix, message.n);
	buf_grow(&c->out, message.n + GRPC_PREFIX);
	buf_add(&c->out, prefix, sizeof(prefix));
	buf_str(&c->out, message);
	c->stream = nghttp2_submit_request(g->h2, NULL, headers,
					   sizeof(headers) / sizeof(*headers),
					   &body, c);
	if (c->stream < 0) /* shows when the session is next used */
		g->broken = true;
}

/* --- what comes back --- */

static bool name_is(const uint8_t *name, size_t n, const char *want)
{
	return str_is((struct str){ (const char *)name, n }, want);
}

static int number(const uint8_t *value, size_t n)
{
	int v = 0;

	if (n == 0 || n > 6)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (value[i] < '0' || value[i] > '9')
			return -1;
		v = v * 10 + (value[i] - '0');
	}
	return v;
}

static int on_header(nghttp2_session *s, const nghttp2_frame *f,
		     const uint8_t *name, size_t nname, const uint8_t *value,
		     size_t nvalue, uint8_t flags, void *user)
{
	struct grpc_call *c =
		nghttp2_session_get_stream_user_data(s, f->hd.stream_id);

	(void)flags, (void)user;
	if (!c)
		return 0;
	if (name_is(name, nname, ":status")) {
		c->http_status = number(value, nvalue);
	} else if (name_is(name, nname, "grpc-status")) {
		c->status = number(value, nvalue);
		if (c->status < 0)
			c->status = GRPC_UNKNOWN;
	} else if (name_is(name, nname, "grpc-message") && nvalue <= TEXT_MAX) {
		c->text = str_percent_decode(
			&c->arena, (struct str){ (const char *)value, nvalue });
	}
	return 0;
}

static void on_message(void *data, struct str message)
{
	struct grpc_call *c = data;

	if (c->handler)
		c->handler->message(c->data, message);
}

static int on_data(nghttp2_session *s, uint8_t flags, int32_t id,
		   const uint8_t *p, size_t n, void *user)
{
	struct grpc_call *c = nghttp2_session_get_stream_user_data(s, id);

	(void)flags, (void)user;
	if (!c || c->broken != GRPC_OK)
		return 0;
	c->broken =
		(int)grpc_deframe(&c->in, (struct str){ (const char *)p, n },
				  on_message, c);
	if (c->broken != GRPC_OK)
		nghttp2_submit_rst_stream(s, NGHTTP2_FLAG_NONE, id,
					  NGHTTP2_CANCEL);
	return 0;
}

/* The status of a stream that was reset without a grpc-status. */
static int status_of_reset(uint32_t code)
{
	switch (code) {
	case NGHTTP2_REFUSED_STREAM:
		return GRPC_UNAVAILABLE;
	case NGHTTP2_CANCEL:
		return GRPC_CANCELLED;
	case NGHTTP2_ENHANCE_YOUR_CALM:
		return GRPC_RESOURCE_EXHAUSTED;
	default:
		return GRPC_INTERNAL;
	}
}

static int status_of_http(int code)
{
	if (code == 404)
		return GRPC_UNIMPLEMENTED;
	return code == 429 || (code >= 502 && code <= 504) ? GRPC_UNAVAILABLE
							   : GRPC_UNKNOWN;
}

static int on_close(nghttp2_session *s, int32_t id, uint32_t code, void *user)
{
	struct grpc_call *c = nghttp2_session_get_stream_user_data(s, id);

	(void)user;
	if (!c)
		return 0;
	nghttp2_session_set_stream_user_data(s, id, NULL);
	if (c->broken == GRPC_RESOURCE_EXHAUSTED)
		call_end(c, c->broken, STR("the message is too large"));
	else if (c->broken != GRPC_OK)
		call_end(c, c->broken,
			 STR("the message has no known encoding"));
	else if (c->status >= 0)
		call_end(c, c->status, c->text);
	else if (c->http_status && c->http_status != 200)
		call_end(c, status_of_http(c->http_status),
			 str_printf(&c->arena, "unexpected HTTP status %d",
				    c->http_status));
	else if (code)
		call_end(c, status_of_reset(code), STR("the stream was reset"));
	else
		call_end(c, GRPC_INTERNAL,
			 STR("the answer ended without a status"));
	return 0;
}

/* --- the session --- */

struct grpc *grpc_new(void)
{
	static const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW },
		{ NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, 256 << 10 },
	};
	struct grpc *g = xcalloc(1, sizeof(*g));
	nghttp2_session_callbacks *cb = NULL;
	int rc;

	rc = nghttp2_session_callbacks_new(&cb);
	if (rc == 0) {
		nghttp2_session_callbacks_set_on_header_callback(cb, on_header);
		nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
			cb, on_data);
		nghttp2_session_callbacks_set_on_stream_close_callback(
			cb, on_close);
		rc = nghttp2_session_client_new(&g->h2, cb, g);
		nghttp2_session_callbacks_del(cb);
	}
	if (rc == 0)
		rc = nghttp2_submit_settings(g->h2, NGHTTP2_FLAG_NONE, settings,
					     sizeof(settings) /
						     sizeof(*settings));
	if (rc == 0)
		rc = nghttp2_session_set_local_window_size(g->h2,
							   NGHTTP2_FLAG_NONE, 0,
							   WINDOW);
	if (rc != 0) { /* out of memory; the same as a broken session */
		nghttp2_session_del(g->h2);
		free(g);
		return NULL;
	}
	return g;
}

void grpc_free(struct grpc *g)
{
	if (!g)
		return;
	while (g->calls)
		call_free(g->calls);
	nghttp2_session_del(g->h2);
	free(g);
}

int grpc_input(struct grpc *g, struct str bytes)
{
	ssize_t n = nghttp2_session_mem_recv(g->h2, (const uint8_t *)bytes.p,
					     bytes.n);

	return n == (ssize_t)bytes.n && nghttp2_session_want_read(g->h2) ? 0
									 : -1;
}

int grpc_output(struct grpc *g, struct buf *out)
{
	for (;;) {
		const uint8_t *p;
		ssize_t n = nghttp2_session_mem_send(g->h2, &p);

		if (n < 0 || g->broken)
			return -1;
		if (n == 0)
			return 0;
		buf_add(out, p, (size_t)n);
	}
}

void grpc_fail(struct grpc *g, int status, struct str text)
{
	struct grpc_call *next;

	/* An end may start nothing new on a dead session, but it may cancel
	 * another call: so always from the front. */
	for (struct grpc_call *c = g->calls; c; c = next) {
		if (c->stream > 0)
			nghttp2_session_set_stream_user_data(g->h2, c->stream,
							     NULL);
		call_end(c, status, text);
		next = g->calls;
	}
}
