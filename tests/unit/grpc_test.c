/* grpc_test.c - gRPC as bytes: framing, and a session against a server made of
 * nghttp2 in the same process */
#include <stdlib.h>
#include <nghttp2/nghttp2.h>

#include "provider/plugin/plugin_int.h"
#include "test.h"

/* --- framing --- */

struct got {
	size_t n;
	struct buf all; /* each message followed by '|' */
};

static void collect(void *data, struct str message)
{
	struct got *g = data;

	g->n++;
	buf_str(&g->all, message);
	buf_putc(&g->all, '|');
}

static struct str framed(struct buf *b, struct str message)
{
	unsigned char prefix[GRPC_PREFIX];

	grpc_frame_prefix(prefix, message.n);
	buf_add(b, prefix, sizeof(prefix));
	buf_str(b, message);
	return buf_view(b);
}

static void test_frames(void)
{
	struct buf wire = BUF_INIT;
	struct str all;

	framed(&wire, STR("one"));
	framed(&wire, STR(""));
	all = framed(&wire, STR("three"));
	/* However the bytes are cut, the messages are the same. */
	for (size_t piece = 1; piece <= all.n; piece++) {
		struct grpc_deframer d = { BUF_INIT };
		struct got g = { 0, BUF_INIT };

		for (size_t at = 0; at < all.n; at += piece) {
			size_t to = at + piece < all.n ? at + piece : all.n;

			CHECK(grpc_deframe(&d, str_sub(all, at, to), collect,
					   &g) == GRPC_OK);
		}
		CHECK(g.n == 3);
		CHECK_STR(buf_view(&g.all), "one||three|");
		grpc_deframer_release(&d);
		buf_release(&g.all);
	}
	buf_release(&wire);
}

static void test_bad_frames(void)
{
	static const struct {
		const char *name;
		struct str bytes;
		enum grpc_status want;
	} rows[] = {
		{ "compressed", { "\x01\0\0\0\x01x", 6 }, GRPC_UNIMPLEMENTED },
		{ "no flag", { "\x07\0\0\0\0", 5 }, GRPC_INTERNAL },
		{ "too large", { "\0\x10\0\0\x01", 5 },
		  GRPC_RESOURCE_EXHAUSTED },
		{ "largest", { "\0\x10\0\0\0", 5 }, GRPC_OK },
		{ "unfinished", { "\0\0", 2 }, GRPC_OK },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct grpc_deframer d = { BUF_INIT };
		struct got g = { 0, BUF_INIT };

		CHECK_ROW(grpc_deframe(&d, rows[i].bytes, collect, &g) ==
				  rows[i].want, rows[i].name);
		CHECK_ROW(g.n == 0, rows[i].name);
		grpc_deframer_release(&d);
		buf_release(&g.all);
	}
}

static void test_percent(void)
{
	struct arena a = ARENA_INIT;

	CHECK_STR(str_percent_decode(&a, STR("plain")), "plain");
	CHECK_STR(str_percent_decode(&a, STR("a%20b%3A%c3%A9")),
		  "a b:\xc3\xa9");
	CHECK_STR(str_percent_decode(&a, STR("100%")), "100%");
	CHECK_STR(str_percent_decode(&a, STR("%2")), "%2");
	CHECK_STR(str_percent_decode(&a, STR("%zz%41")), "%zzA");
	arena_release(&a);
}

/* --- a server --- */

enum answer_kind {
	ANSWER_OK,       /* two messages, status 0 */
	ANSWER_ERROR,    /* trailers only */
	ANSWER_HTTP,     /* an HTTP error, no gRPC */
	ANSWER_RESET,
	ANSWER_SILENT,   /* the stream ends without a status */
	ANSWER_COMPRESSED,
	ANSWER_NEVER,
};

struct server {
	nghttp2_session *h2;
	enum answer_kind kind;
	struct buf request, path, body;
	size_t sent;
};

static ssize_t give_body(nghttp2_session *s, int32_t id, uint8_t *to,
			 size_t room, uint32_t *flags,
			 nghttp2_data_source *source, void *user)
{
	static const nghttp2_nv trailers[] = {
		{ (uint8_t *)"grpc-status", (uint8_t *)"0", 11, 1, 0 },
	};
	struct server *v = source->ptr;
	size_t n = v->body.len - v->sent;

	(void)user;
	if (n > room)
		n = room;
	memcpy(to, v->body.p + v->sent, n);
	v->sent += n;
	if (v->sent < v->body.len)
		return (ssize_t)n;
	*flags |= NGHTTP2_DATA_FLAG_EOF;
	if (v->kind == ANSWER_SILENT)
		return (ssize_t)n;
	*flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
	nghttp2_submit_trailer(s, id, trailers, 1);
	return (ssize_t)n;
}

#define HEADER(name, value) \
	{ (uint8_t *)(name), (uint8_t *)(value), strlen(name), strlen(value), 0 }

static void reply(struct server *v, int32_t id)
{
	const nghttp2_nv ok[] = { HEADER(":status", "200"),
				  HEADER("content-type", "application/grpc") };
	const nghttp2_nv error[] = {
		HEADER(":status", "200"), HEADER("grpc-status", "13"),
		HEADER("grpc-message", "it%20broke")
	};
	const nghttp2_nv http[] = { HEADER(":status", "503") };
	nghttp2_data_provider body = { { .ptr = v }, give_body };

	buf_set_len(&v->body, 0);
	v->sent = 0;
	framed(&v->body, STR("first"));
	framed(&v->body, STR("second"));
	if (v->kind == ANSWER_COMPRESSED)
		v->body.p[0] = 1;
	switch (v->kind) {
	case ANSWER_ERROR:
		nghttp2_submit_response(v->h2, id, error, 3, NULL);
		break;
	case ANSWER_HTTP:
		nghttp2_submit_response(v->h2, id, http, 1, NULL);
		break;
	case ANSWER_RESET:
		nghttp2_submit_rst_stream(v->h2, 0, id,
					  NGHTTP2_REFUSED_STREAM);
		break;
	case ANSWER_NEVER:
		break;
	default:
		nghttp2_submit_response(v->h2, id, ok, 2, &body);
	}
}

static int server_header(nghttp2_session *s, const nghttp2_frame *f,
			 const uint8_t *name, size_t nname,
			 const uint8_t *value, size_t nvalue, uint8_t flags,
			 void *user)
{
	struct server *v = user;

	(void)s, (void)f, (void)flags;
	if (str_is((struct str){ (const char *)name, nname }, ":path"))
		buf_add(&v->path, value, nvalue);
	return 0;
}

static int server_data(nghttp2_session *s, uint8_t flags, int32_t id,
		       const uint8_t *p, size_t n, void *user)
{
	struct server *v = user;

	(void)s, (void)flags, (void)id;
	buf_add(&v->request, p, n);
	return 0;
}

static int server_frame(nghttp2_session *s, const nghttp2_frame *f, void *user)
{
	struct server *v = user;

	(void)s;
	if (f->hd.type == NGHTTP2_DATA &&
	    (f->hd.flags & NGHTTP2_FLAG_END_STREAM))
		reply(v, f->hd.stream_id);
	return 0;
}

static void server_init(struct server *v, enum answer_kind kind)
{
	nghttp2_session_callbacks *cb;

	memset(v, 0, sizeof(*v));
	v->kind = kind;
	nghttp2_session_callbacks_new(&cb);
	nghttp2_session_callbacks_set_on_header_callback(cb, server_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(cb,
								  server_data);
	nghttp2_session_callbacks_set_on_frame_recv_callback(cb, server_frame);
	nghttp2_session_server_new(&v->h2, cb, v);
	nghttp2_session_callbacks_del(cb);
	nghttp2_submit_settings(v->h2, 0, NULL, 0);
}

static void server_release(struct server *v)
{
	nghttp2_session_del(v->h2);
	buf_release(&v->request);
	buf_release(&v->path);
	buf_release(&v->body);
}

/* Carries bytes both ways, `piece` at a time to the client, until nothing moves
 * any more. */
static int exchange(struct grpc *g, struct server *v, size_t piece)
{
	struct buf out = BUF_INIT;
	bool moved = true;
	int rc = 0;

	while (moved && rc == 0) {
		const uint8_t *p;
		ssize_t n;

		moved = false;
		buf_set_len(&out, 0);
		rc = grpc_output(g, &out);
		if (out.len) {
			moved = true;
			nghttp2_session_mem_recv(v->h2, (uint8_t *)out.p,
						 out.len);
		}
		while (rc == 0 && (n = nghttp2_session_mem_send(v->h2, &p)) > 0) {
			moved = true;
			for (size_t at = 0; at < (size_t)n && rc == 0;
			     at += piece) {
				size_t len = (size_t)n - at < piece
						     ? (size_t)n - at : piece;

				rc = grpc_input(g, (struct str){
						(const char *)p + at, len });
			}
		}
	}
	buf_release(&out);
	return rc;
}

struct outcome {
	struct got got;
	int ends, status;
	char text[64];
};

static void on_message(void *data, struct str m)
{
	collect(&((struct outcome *)data)->got, m);
}

static void on_end(void *data, int status, struct str text)
{
	struct outcome *o = data;

	o->ends++;
	o->status = status;
	snprintf(o->text, sizeof(o->text), "%.*s", STR_ARG(text));
}

static const struct grpc_handler handler = { on_message, on_end };

static void test_answers(void)
{
	static const struct {
		const char *name;
		enum answer_kind kind;
		int status;
		const char *text, *messages;
	} rows[] = {
		{ "ok", ANSWER_OK, GRPC_OK, "", "first|second|" },
		{ "error", ANSWER_ERROR, GRPC_INTERNAL, "it broke", "" },
		{ "http", ANSWER_HTTP, GRPC_UNAVAILABLE,
		  "unexpected HTTP status 503", "" },
		{ "reset", ANSWER_RESET, GRPC_UNAVAILABLE,
		  "the stream was reset", "" },
		{ "silent", ANSWER_SILENT, GRPC_INTERNAL,
		  "the answer ended without a status", "first|second|" },
		{ "compressed", ANSWER_COMPRESSED, GRPC_UNIMPLEMENTED,
		  "the message has no known encoding", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (size_t piece = 1; piece < 100; piece += 49) {
			struct outcome o = { .status = -1 };
			struct grpc *g = grpc_new();
			struct server v;

			server_init(&v, rows[i].kind);
			grpc_start(g, "/a.B/C", STR("question"), &handler, &o);
			CHECK_ROW(exchange(g, &v, piece) == 0, rows[i].name);
			CHECK_ROW(o.ends == 1, rows[i].name);
			CHECK_ROW(o.status == rows[i].status, rows[i].name);
			CHECK_STR(str_c(o.text), rows[i].text);
			if (o.got.n || *rows[i].messages)
				CHECK_STR(buf_view(&o.got.all),
					  rows[i].messages);
			CHECK_STR(buf_view(&v.path), "/a.B/C");
			CHECK(v.request.len == GRPC_PREFIX + 8);
			server_release(&v);
			grpc_free(g);
			buf_release(&o.got.all);
		}
	}
}

/* Many at once, and one message larger than the windows at the start. */
static void test_many(void)
{
	enum { MANY = 300, LARGE = 3 << 20 };
	struct outcome *o = calloc(MANY, sizeof(*o));
	char *large = calloc(1, LARGE);
	struct grpc *g = grpc_new();
	struct server v;
	int ended = 0;

	server_init(&v, ANSWER_ERROR);
	for (int i = 0; i < MANY; i++)
		grpc_start(g, "/a.B/C", (struct str){ large, i ? 10 : LARGE },
			   &handler, &o[i]);
	CHECK(exchange(g, &v, 1000) == 0);
	for (int i = 0; i < MANY; i++)
		ended += o[i].ends == 1 && o[i].status == GRPC_INTERNAL;
	CHECK(ended == MANY);
	CHECK(v.request.len == LARGE + (MANY - 1) * 10 + MANY * GRPC_PREFIX);
	server_release(&v);
	grpc_free(g);
	free(large);
	free(o);
}

static void test_gone(void)
{
	struct outcome o[2] = { { .status = -1 } };
	struct grpc *g = grpc_new();
	struct server v;

	server_init(&v, ANSWER_NEVER);
	grpc_start(g, "/a.B/C", STR("q"), &handler, &o[0]);
	grpc_start(g, "/a.B/C", STR("q"), &handler, &o[1]);
	CHECK(exchange(g, &v, 50) == 0);
	CHECK(o[0].ends == 0 && o[1].ends == 0);
	grpc_fail(g, GRPC_UNAVAILABLE, STR("gone"));
	CHECK(o[0].ends == 1 && o[0].status == GRPC_UNAVAILABLE);
	CHECK(o[1].ends == 1);
	CHECK_STR(str_c(o[1].text), "gone");
	server_release(&v);
	grpc_free(g);
}

static void test_garbage(void)
{
	struct outcome o = { .status = -1 };
	struct grpc *g = grpc_new();
	struct buf out = BUF_INIT;

	grpc_start(g, "/a.B/C", STR("q"), &handler, &o);
	CHECK(grpc_output(g, &out) == 0);
	CHECK(str_starts(buf_view(&out), "PRI * HTTP/2.0\r\n"));
	/* An HTTP/1 server's answer is no settings frame. */
	CHECK(grpc_input(g, STR("HTTP/1.1 400 Bad Request\r\n\r\n")) < 0 ||
	      grpc_output(g, &out) < 0 || o.ends == 0);
	grpc_fail(g, GRPC_UNAVAILABLE, STR("x"));
	CHECK(o.ends == 1);
	buf_release(&out);
	grpc_free(g);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_frames());
	RUN(test_bad_frames());
	RUN(test_percent());
	RUN(test_answers());
	RUN(test_many());
	RUN(test_gone());
	RUN(test_garbage());
	return test_done("grpc");
}
