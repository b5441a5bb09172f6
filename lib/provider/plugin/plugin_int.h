/* plugin_int.h - what the files of this room share */
#ifndef TFPIPE_PROVIDER_PLUGIN_PLUGIN_INT_H
#define TFPIPE_PROVIDER_PLUGIN_PLUGIN_INT_H

#include "base/str.h"
#include "base/diag.h"
#include "base/loop.h"
#include "base/child.h"
#include "provider/plugin/plugin.h"
#include "provider/plugin/plugin_log.h"

struct grpc;

/*
 * grpc.c: gRPC as pure bytes: message framing, and a client's session
 *
 * Nothing here does I/O: grpc_input takes the peer's bytes, grpc_output gives
 * those to send; callbacks run from grpc_input and grpc_fail only.  The framing
 * serves both ends of a connection.
 *
 * A session is one HTTP/2 connection with prior knowledge (nghttp2); calls are
 * its streams.  Received messages are limited to GRPC_MESSAGE_MAX bytes.
 */

enum { GRPC_MESSAGE_MAX = 256 << 20 };

/* --- framing: 1 byte flags, 4 bytes big-endian length, the message --- */

enum { GRPC_PREFIX = 5 };

/* Puts messages together from pieces of any size. */
struct grpc_deframer {
	struct buf buf; /* an unfinished frame */
};

typedef void grpc_message_fn(void *data, struct str message);

void grpc_frame_prefix(unsigned char out[GRPC_PREFIX], size_t length);
/* Calls fn with each message that is complete.  GRPC_OK, or the status the
 * call fails with: compressed, or too large. */
enum grpc_status grpc_deframe(struct grpc_deframer *d, struct str bytes,
			      grpc_message_fn *fn, void *data);
void grpc_deframer_release(struct grpc_deframer *d);

/* --- a client's session --- */

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
void grpc_start(struct grpc *g, const char *path, struct str message,
		const struct grpc_handler *h, void *data);
/* Bytes from the peer. -1: they are invalid, or the peer is going away; the
 * caller must end waiting calls with grpc_fail. */
int grpc_input(struct grpc *g, struct str bytes);
/* Appends what is to be sent. -1: the session is broken. */
int grpc_output(struct grpc *g, struct buf *out);
/* Ends all calls with this status. */
void grpc_fail(struct grpc *g, int status, struct str text);

/*
 * handshake.c: the handshake of a plugin and its host (go-plugin)
 *
 * The host sets variables in the plugin's environment; the plugin prints one
 * line on its standard output:
 *
 * 	1|PROTOCOL|NETWORK|ADDRESS|grpc|CERTIFICATE
 *
 * PROTOCOL is 5 or 6, NETWORK unix or tcp; the certificate, unpadded base64 of
 * DER, is there when the host asked for mutual TLS.
 */

enum { HANDSHAKE_LINE_MAX = 64 << 10 };

/* Parses the line, without its newline.  -1 with *why in the arena. */
int handshake_parse(struct arena *a, struct str line, struct handshake *out,
		    struct str *why);

struct handshake_env {
	const char *client_certificate; /* PEM: mutual TLS; or NULL */
	bool quiet; /* nobody reads the log: the plugin need not make one */
	const char *socket_dir; /* where its socket is to lie; or NULL */
};

/* Makes a directory for a plugin's socket, where the umask would let others
 * connect to it; NULL: it need not have one.  0, or -1 with errno. */
int handshake_socket_dir(struct arena *a, const char **dir);
/* Closes the socket of a process of ours to others. */
void handshake_close_socket(struct arena *a, const struct handshake *h);

/* The environment for a plugin: this process's with what the plugin must find
 * in it; NULL-terminated. */
const char *const *handshake_environment(struct arena *a,
					 const struct handshake_env *e);

/* Connects to the address; a non-blocking socket, -1 with errno. */
int handshake_connect(const struct handshake *h);

struct tls; /* crypto/crypto.h */

enum plugin_state {
	PLUGIN_STARTING, /* no handshake yet */
	PLUGIN_READY,
	PLUGIN_DEAD,
};

/* The descriptors that are served, by the loop or by plugin_wait. */
enum { FD_OUT, FD_ERR, FD_SOCKET, FD_PROCESS, NFDS };

struct queued { /* a call that waits for the handshake, or runs */
	struct plugin *p;
	struct queued *next;
	const struct plugin_method *method;
	struct buf message;
	struct buf answer;
	bool urgent; /* answered even during plugin_wait */
	int status;  /* of an answer that was put off */
	struct buf text;
	plugin_answer_fn *fn;
	void *data;
};

struct plugin {
	struct loop *loop;
	struct arena arena;
	const char *socket_dir; /* of its own; or NULL */
	struct str name, log_name;
	struct child child;
	enum plugin_state state;
	int fds[NFDS]; /* -1: not open */
	struct loop_watch *watch[NFDS];
	loop_fd_fn *const *serve;    /* by the loop, by descriptor */
	struct loop_timer *patience; /* for the handshake */
	uint64_t patience_ms;
	struct handshake handshake;
	struct grpc *grpc;
	struct tls *tls;
	struct buf out; /* to be sent */
	size_t sent;
	bool waiting;  /* in plugin_wait */
	bool flushing; /* a flush is due at the end of the turn */
	struct queued *queue, **queue_tail;
	struct buf line[2]; /* unfinished lines of FD_OUT, FD_ERR */
	struct plugin_log log;
	struct buf panic;
	bool panicking, reaped, closing;
	bool keep_alive; /* it is not ours to end */
	int wait_status;
	struct str death;
	loop_fn *gone; /* called at its end (plugin_retire) */
	void *gone_data;
	struct loop_timer *grace; /* until it is made to end */
};

/* Sends a call that waited; frees it at its end. */
void plugin_submit(struct queued *q);
/* Calls back the one that waits for the end of its process. */
void plugin_gone(struct plugin *p);
/* The end of a call; frees it. */
void plugin_answer(struct queued *q, int status, struct str text);
/* The connection is made: serves it and asks for the plugin's output. */
void plugin_ready(struct plugin *p);

/*
 * plugin_io.c: serving a plugin's descriptors: its handshake, its output,
 * the connection, its end
 */

/* Serves one descriptor. */
void plugin_serve(struct plugin *p, int which);
void plugin_flush(struct plugin *p);
/* The plugin can no longer be used: all calls fail. */
void plugin_fail(struct plugin *p, struct str why);
void plugin_close_fd(struct plugin *p, int which);
/* Waits for something on the descriptors and serves it; as poll(2). */
int plugin_poll(struct plugin *p, int ms);
/* Connects to p->handshake; plugin_fail when it cannot be. */
void plugin_connect(struct plugin *p);

#endif
