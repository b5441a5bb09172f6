/*
 * secure.h - mutual TLS as plugins serve it
 *
 * A certificate made for this process, sent in the handshake; of clients only
 * the one whose certificate came in the environment is served.
 */
#ifndef TEST_PROVIDER_SECURE_H
#define TEST_PROVIDER_SECURE_H

#include <sys/types.h>

#include "base/str.h"

struct secure; /* the process's side of all connections */
struct ssl_st; /* one connection */

/* certificate gets its text for the handshake: base64 without padding.  NULL
 * when the client's certificate (PEM) makes no sense. */
struct secure *secure_new(const char *client_pem, struct buf *certificate);
struct ssl_st *secure_accept(struct secure *s, int fd);
/* As read(2) and write(2) on a non-blocking descriptor. */
ssize_t secure_read(struct ssl_st *c, void *to, size_t n);
ssize_t secure_write(struct ssl_st *c, const void *from, size_t n);
void secure_close(struct ssl_st *c);

#endif
