/*
 * grpc.h - gRPC as pure bytes: message framing, and a client's session
 *
 * Nothing here does I/O: grpc_input takes the peer's bytes, grpc_output gives
 * those to send; callbacks run from grpc_input and grpc_fail only.  The framing
 * serves both ends of a connection.
 *
 * A session is one HTTP/2 connection with prior knowledge (nghttp2); calls are
 * its streams.  Received messages are limited to GRPC_MESSAGE_MAX bytes.
 */
#ifndef TFPIPE_PROVIDER_GRPC_H
#define TFPIPE_PROVIDER_GRPC_H

#include "base/str.h"

enum { GRPC_MESSAGE_MAX = 256 << 20 };

/* The status codes that matter here; others pass as numbers. */
enum grpc_status {
	GRPC_OK = 0,
	GRPC_CANCELLED = 1,
	GRPC_UNKNOWN = 2,
	GRPC_DEADLINE_EXCEEDED = 4,
	GRPC_RESOURCE_EXHAUSTED = 8,
	GRPC_UNIMPLEMENTED = 12,
	GRPC_INTERNAL = 13,
	GRPC_UNAVAILABLE = 14,
};

/* --- framing: 1 byte flags, 4 bytes big-endian length, the message --- */

enum { GRPC_PREFIX = 5 };

/* Puts messages together from pieces of any size. */
struct grpc_deframer {
	struct buf buf; /* an unfinished frame */
};

typedef void grpc_message_fn(void *data, struct str message);

/* --- a client's session --- */

struct grpc;
struct grpc_call;

struct grpc_handler {
	/* A message of the answer; its bytes are valid during the call. */
	grpc_message_fn *message;
	/* The end; the struct grpc_call is gone afterwards. */
	void (*end)(void *data, int status, struct str text);
};

struct grpc *grpc_new(void);
/* Frees; running calls end without a callback. */
void grpc_free(struct grpc *g);
/* Starts a call: path "/package.Service/Method", one request message, which is
 * copied.  The handler is never called from here. */
struct grpc_call *grpc_start(struct grpc *g, const char *path,
			     struct str message, const struct grpc_handler *h,
			     void *data);
/* Cancels at the peer; the handler is not called any more. */
void grpc_cancel(struct grpc_call *c);
/* Bytes from the peer. -1: they are invalid, or the peer is going away; the
 * caller must end waiting calls with grpc_fail. */
int grpc_input(struct grpc *g, struct str bytes);
/* Appends what is to be sent. -1: the session is broken. */
int grpc_output(struct grpc *g, struct buf *out);
/* Ends all calls with this status. */
void grpc_fail(struct grpc *g, int status, struct str text);
/* How many calls are running. */
size_t grpc_running(const struct grpc *g);

#endif
