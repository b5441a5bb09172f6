/*
 * plugin_tls.h - mutual TLS with a plugin, as go-plugin makes it
 *
 * Each side makes a certificate for "localhost" for this one connection; the
 * host's travels in the plugin's environment, the plugin's in its handshake.
 * Each accepts exactly the other's.
 */
#ifndef TFPIPE_PROVIDER_PLUGIN_TLS_H
#define TFPIPE_PROVIDER_PLUGIN_TLS_H

#include <sys/types.h>

#include "base/str.h"

struct tls;

/* Makes a key and a certificate; *pem, in the arena, is for the plugin.  NULL
 * when the library fails. */
struct tls *tls_new(struct arena *a, const char **pem);
/* fd: connected, non-blocking; certificate: the plugin's, from its handshake.
 * -1: it is none. */
int tls_connect(struct tls *t, int fd, struct str certificate);
/* As read(2) and write(2). */
ssize_t tls_read(struct tls *t, void *to, size_t n);
ssize_t tls_write(struct tls *t, const void *from, size_t n);
void tls_free(struct tls *t); /* does not close fd */

#endif
