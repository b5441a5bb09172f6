/* plugin_int.h - what the files of plugin.h share */
#ifndef TFPIPE_PROVIDER_PLUGIN_INT_H
#define TFPIPE_PROVIDER_PLUGIN_INT_H

#include "base/child.h"
#include "provider/plugin.h"
#include "provider/plugin_log.h"

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

#endif
