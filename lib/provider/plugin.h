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
#ifndef TFPIPE_PROVIDER_PLUGIN_H
#define TFPIPE_PROVIDER_PLUGIN_H

#include "base/loop.h"
#include "provider/grpc.h"
#include "provider/handshake.h"

struct plugin_spec {
	const char *exe; /* NULL: attach to one that runs */
	struct str name; /* for messages: the provider's address */
	const struct reattach *reattach; /* or NULL */
	bool tls;                        /* ask for mutual TLS */
	uint64_t start_ms; /* to wait for the handshake; 0: a minute */
};

struct plugin_method {       /* as the two versions of the protocol call it */
	const char *v5, *v6; /* "/tfplugin5.Provider/GetSchema"; NULL: none */
};

struct plugin;

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
 * known before anything else can go on.  -1 when a signal to stop came. */
int plugin_wait(struct plugin *p, const bool *done);
struct loop *plugin_loop(const struct plugin *p);
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

#endif
