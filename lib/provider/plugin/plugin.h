/*
 * plugin.h - a plugin process and the connection to it
 *
 * plugin_start only starts: the handshake is read and the connection made by
 * the event loop.  Calls may be made at once; they wait until the plugin is
 * there.  When it dies, all its calls fail with GRPC_UNAVAILABLE, and so does
 * every later one: a call always ends.
 *
 * The process is its own group's leader (the terminal's Ctrl-C is not for it)
 * and ends when we do.  Its standard output and error are drained from the
 * first byte to the last, into the log.
 */
#ifndef TFPIPE_PROVIDER_PLUGIN_PLUGIN_H
#define TFPIPE_PROVIDER_PLUGIN_PLUGIN_H

#include "base/diag.h"
#include "base/loop.h"
#include "base/str.h"

struct plugin;

/* The address of a plugin, as its handshake tells it (plugin_int.h). */
struct handshake {
	int protocol;           /* 5 or 6 */
	bool tcp;               /* else a unix socket */
	struct str address;     /* a path, or HOST:PORT */
	struct str certificate; /* as sent; may be empty */
};

/* A plugin that runs already, from TF_REATTACH_PROVIDERS. */
struct reattach {
	struct handshake handshake;
	int64_t pid;
	bool test; /* it is not to be ended */
};

/* Looks an address ("host/namespace/type" or shorter, as the user wrote it) up
 * in the text of TF_REATTACH_PROVIDERS: 1 when found, 0 when not, -1 with a
 * diagnostic when the text is invalid.  same() says whether a key means the
 * provider wanted; -1: it means none. */
int reattach_find(struct arena *a, struct str text,
		  int (*same)(void *data, struct str key), void *data,
		  struct reattach *out, struct diags *ds);

/* The status codes that matter here; others pass as numbers. */
enum grpc_status {
	GRPC_OK = 0,
	GRPC_CANCELLED = 1,
	GRPC_UNKNOWN = 2,
	GRPC_RESOURCE_EXHAUSTED = 8,
	GRPC_UNIMPLEMENTED = 12,
	GRPC_INTERNAL = 13,
	GRPC_UNAVAILABLE = 14,
};

struct plugin_spec {
	const char *exe; /* NULL: attach to one that runs */
	struct str name; /* for messages: the provider's address */
	const struct reattach *reattach; /* or NULL; with exe: which is started
					    if that one cannot be reached */
	bool tls;                        /* ask for mutual TLS */
	uint64_t start_ms; /* to wait for the handshake; 0: a minute */
};

struct plugin_method {       /* as the two versions of the protocol call it */
	const char *v5, *v6; /* "/tfplugin5.Provider/GetSchema"; NULL: none */
};

/* The end of a call.  message is empty unless status is GRPC_OK. */
typedef void plugin_answer_fn(void *data, int status, struct str text,
			      struct str message);

/* NULL with a diagnostic when the program cannot be started. */
struct plugin *plugin_start(struct loop *l, const struct plugin_spec *s,
			    struct diags *ds);
/* The message is copied.  fn is never called from here. */
void plugin_call(struct plugin *p, const struct plugin_method *m,
		 struct str message, plugin_answer_fn *fn, void *data);
/* Makes a call that plugin_wait waits for; the answers to others are put off
 * while it does. */
void plugin_call_now(struct plugin *p, const struct plugin_method *m,
		     struct str message, plugin_answer_fn *fn, void *data);
/* Serves this plugin alone until *done, outside of the loop: for what must be
 * known before anything else can go on; done NULL: until its handshake.  -1
 * when a signal to stop came, or it is dead. */
int plugin_wait(struct plugin *p, const bool *done);
struct loop *plugin_loop(const struct plugin *p);
/* Where others reach it; NULL while it is not connected. */
const struct handshake *plugin_address(const struct plugin *p);
/* 5 or 6; 0 while it is not known. */
int plugin_protocol(const struct plugin *p);
/* How it died: "it exited with ..."; its last words if it panicked.  Empty
 * while it lives. */
struct str plugin_death(const struct plugin *p);
struct str plugin_panic(const struct plugin *p);
/* Asks it to end, without waiting; p may be NULL. */
void plugin_end(struct plugin *p);
/* Asks it to end; gone is called when it has ended, or was killed after a
 * while.  Then close it. */
void plugin_retire(struct plugin *p, loop_fn *gone, void *data);
/* Ends it, gracefully if it lets us, and frees. */
void plugin_close(struct plugin *p);

/*
 * wire.c: protobuf messages field by field, without unpacking them
 *
 * For large messages of which only parts are wanted: the schemas of all types.
 * Any bytes are safe.
 */

struct wire_field {
	uint32_t number;
	bool is_bytes;    /* length-delimited: a message, string, bytes */
	uint64_t value;   /* otherwise */
	struct str bytes; /* borrowed from the message */
};

/* Takes the next field off the front of *rest: 1, 0 at the end, -1 when it is
 * no message. */
int wire_next(struct str *rest, struct wire_field *f);
/* A map's entry. -1: it is none. */
int wire_entry(struct str entry, struct str *key, struct str *value);
/* The last field of that number among the length-delimited ones; empty when
 * there is none. */
struct str wire_get(struct str message, uint32_t number);

#endif
