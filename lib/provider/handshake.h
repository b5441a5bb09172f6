/*
 * handshake.h - the handshake of a plugin and its host (go-plugin)
 *
 * The host sets variables in the plugin's environment; the plugin prints one
 * line on its standard output:
 *
 *	1|PROTOCOL|NETWORK|ADDRESS|grpc|CERTIFICATE
 *
 * PROTOCOL is 5 or 6, NETWORK unix or tcp; the certificate, unpadded base64 of
 * DER, is there when the host asked for mutual TLS.
 */
#ifndef TFPIPE_PROVIDER_HANDSHAKE_H
#define TFPIPE_PROVIDER_HANDSHAKE_H

#include "base/diag.h"

enum { HANDSHAKE_LINE_MAX = 64 << 10 };

struct handshake {
	int protocol;           /* 5 or 6 */
	bool tcp;               /* else a unix socket */
	struct str address;     /* a path, or HOST:PORT */
	struct str certificate; /* as sent; may be empty */
};

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

#endif
