/*
 * server.h - a gRPC server: unary calls over HTTP/2 on a unix socket
 *
 * As much of gRPC as a provider plugin needs: each call is one request message
 * and one response message.  A call is handed to the handler when its message
 * is complete and is answered whenever the handler likes, in any order, by
 * exactly one of call_reply, call_fail and call_leave.  Its arena lives until
 * the answer is sent or the caller has gone away.
 */
#ifndef TEST_PROVIDER_SERVER_H
#define TEST_PROVIDER_SERVER_H

#include "base/loop.h"
#include "base/str.h"

struct call {
	struct arena arena;
	struct str method;  /* the path without '/': tfplugin6.Provider/... */
	struct str message; /* the request, without its gRPC frame */
	struct stream *stream;
};

typedef void call_fn(void *data, struct call *c);

struct secure; /* secure.h */

/* Serves the listening socket fd for ever; tls NULL: in the clear. */
void serve(struct loop *l, int fd, struct secure *tls, call_fn *fn,
	   void *data);

/* Answers with a message and status OK; the bytes are copied. */
void call_reply(struct call *c, const void *message, size_t n);
/* Answers with a gRPC status other than OK, without a message. */
void call_fail(struct call *c, int status, const char *message);
/* Never answers; the stream stays open. */
void call_leave(struct call *c);

/* Status codes of gRPC. */
enum { GRPC_INVALID = 3, GRPC_UNIMPLEMENTED = 12, GRPC_INTERNAL = 13 };

#endif
