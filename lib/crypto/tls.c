/* tls.c - mutual TLS with a plugin, see crypto.h; part of crypto.so */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "crypto/crypto_dso_int.h"

struct tls {
	SSL_CTX *ctx;
	SSL *ssl;
	BIO_METHOD *socket;
	EVP_PKEY *key;
	X509 *own, *peer;
};

/* --- a socket whose other end may go away without a signal --- */

static int socket_write(BIO *b, const char *from, int n)
{
	ssize_t done = send((int)(intptr_t)BIO_get_data(b), from, (size_t)n,
			    MSG_NOSIGNAL);

	BIO_clear_retry_flags(b);
	if (done < 0 && (errno == EAGAIN || errno == EINTR))
		BIO_set_retry_write(b);
	return (int)done;
}

static int socket_read(BIO *b, char *to, int n)
{
	ssize_t done = recv((int)(intptr_t)BIO_get_data(b), to, (size_t)n, 0);

	BIO_clear_retry_flags(b);
	if (done < 0 && (errno == EAGAIN || errno == EINTR))
		BIO_set_retry_read(b);
	return (int)done;
}

static long socket_ctrl(BIO *b, int what, long n, void *p)
{
	(void)b, (void)n, (void)p;
	return what == BIO_CTRL_FLUSH;
}

static BIO *socket_bio(struct tls *t, int fd)
{
	BIO *b;

	if (!t->socket) {
		t->socket =
			BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK,
				     "socket without signals");
		if (!t->socket ||
		    !BIO_meth_set_write(t->socket, socket_write) ||
		    !BIO_meth_set_read(t->socket, socket_read) ||
		    !BIO_meth_set_ctrl(t->socket, socket_ctrl))
			return NULL;
	}
	b = BIO_new(t->socket);
	if (b) {
		BIO_set_data(b, (void *)(intptr_t)fd);
		BIO_set_init(b, 1);
	}
	return b;
}

/* --- certificates --- */

static int add_extension(X509 *cert, int nid, const char *value)
{
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, nid, value);
	int ok = e && X509_add_ext(cert, e, -1);

	X509_EXTENSION_free(e);
	return ok;
}

/* Self-signed, for a day: the connection does not outlive a run. */
static X509 *make_certificate(EVP_PKEY *key)
{
	X509 *cert = X509_new();
	X509_NAME *name = cert ? X509_get_subject_name(cert) : NULL;
	int64_t serial;

	if (!cert)
		return NULL;
	if (X509_set_version(cert, 2) &&
	    RAND_bytes((unsigned char *)&serial, sizeof(serial)) == 1 &&
	    ASN1_INTEGER_set_int64(X509_get_serialNumber(cert),
				   serial & INT64_MAX) &&
	    X509_gmtime_adj(X509_getm_notBefore(cert), -30) &&
	    X509_gmtime_adj(X509_getm_notAfter(cert), 24 * 60 * 60) &&
	    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
				       (const unsigned char *)"localhost", -1,
				       -1, 0) &&
	    X509_set_issuer_name(cert, name) && X509_set_pubkey(cert, key) &&
	    add_extension(cert, NID_basic_constraints, "critical,CA:TRUE") &&
	    add_extension(
		    cert, NID_key_usage,
		    "critical,digitalSignature,keyEncipherment,keyAgreement,keyCertSign") &&
	    add_extension(cert, NID_ext_key_usage, "clientAuth,serverAuth") &&
	    add_extension(cert, NID_subject_alt_name, "DNS:localhost") &&
	    X509_sign(cert, key, EVP_sha256()))
		return cert;
	X509_free(cert);
	return NULL;
}

static const char *to_pem(struct arena *a, X509 *cert)
{
	BIO *bio = BIO_new(BIO_s_mem());
	const char *out = NULL;
	char *p;
	long n;

	if (bio && PEM_write_bio_X509(bio, cert) &&
	    (n = BIO_get_mem_data(bio, &p)) > 0)
		out = arena_strndup(a, p, (size_t)n);
	BIO_free(bio);
	return out;
}

struct tls *part_tls_new(struct arena *a, const char **pem)
{
	struct tls *t = xcalloc(1, sizeof(*t));

	t->key = EVP_EC_gen("P-256");
	t->own = t->key ? make_certificate(t->key) : NULL;
	t->ctx = SSL_CTX_new(TLS_client_method());
	*pem = t->own ? to_pem(a, t->own) : NULL;
	if (*pem && t->ctx && SSL_CTX_use_certificate(t->ctx, t->own) == 1 &&
	    SSL_CTX_use_PrivateKey(t->ctx, t->key) == 1 &&
	    SSL_CTX_set_min_proto_version(t->ctx, TLS1_2_VERSION) == 1)
		return t;
	part_tls_free(t);
	*pem = NULL;
	return NULL;
}

/* Exactly the certificate of the handshake, nothing that it signed. */
static int verify(X509_STORE_CTX *store, void *data)
{
	const struct tls *t = data;
	X509 *got = X509_STORE_CTX_get0_cert(store);

	if (got && X509_cmp(got, t->peer) == 0)
		return 1;
	X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_UNTRUSTED);
	return 0;
}

/* Base64 with or without padding. */
static X509 *decode_certificate(struct str text)
{
	size_t room = text.n + 4;
	unsigned char *in = xcalloc(1, room), *der = xcalloc(1, room);
	const unsigned char *p = der;
	X509 *cert = NULL;
	int n;

	while (text.n && text.p[text.n - 1] == '=')
		text.n--;
	memcpy(in, text.p, text.n);
	for (n = (int)text.n; n % 4; n++)
		in[n] = '=';
	n = text.n < (size_t)INT_MAX / 2 ? EVP_DecodeBlock(der, in, n) : -1;
	if (n > 0)
		cert = d2i_X509(NULL, &p, n);
	free(in);
	free(der);
	return cert;
}

int part_tls_connect(struct tls *t, int fd, struct str certificate)
{
	static const unsigned char alpn[] = { 2, 'h', '2' };
	BIO *bio;

	if (!certificate.n)
		return -1;
	t->peer = decode_certificate(certificate);
	if (!t->peer)
		return -1;
	SSL_CTX_set_verify(t->ctx, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_cert_verify_callback(t->ctx, verify, t);
	SSL_CTX_set_mode(t->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE |
					 SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	t->ssl = SSL_new(t->ctx);
	bio = t->ssl ? socket_bio(t, fd) : NULL;
	if (!bio)
		return -1;
	SSL_set_bio(t->ssl, bio, bio);
	if (SSL_set_alpn_protos(t->ssl, alpn, sizeof(alpn)) != 0 ||
	    SSL_set_tlsext_host_name(t->ssl, "localhost") != 1)
		return -1;
	SSL_set_connect_state(t->ssl);
	return 0;
}

/* Translates the result of a call that moved no bytes to those of read(2). */
static ssize_t nothing(struct tls *t, int rc)
{
	int saved = errno;

	switch (SSL_get_error(t->ssl, rc)) {
	case SSL_ERROR_WANT_READ:
	case SSL_ERROR_WANT_WRITE:
		errno = EAGAIN;
		return -1;
	case SSL_ERROR_ZERO_RETURN:
		return 0;
	case SSL_ERROR_SYSCALL:
		errno = saved ? saved : ECONNRESET;
		break;
	default:
		errno = EPROTO;
	}
	ERR_clear_error();
	return -1;
}

ssize_t part_tls_read(struct tls *t, void *to, size_t n)
{
	int rc;

	errno = 0;
	ERR_clear_error();
	rc = SSL_read(t->ssl, to, n > INT_MAX ? INT_MAX : (int)n);
	return rc > 0 ? rc : nothing(t, rc);
}

ssize_t part_tls_write(struct tls *t, const void *from, size_t n)
{
	int rc;

	errno = 0;
	ERR_clear_error();
	rc = SSL_write(t->ssl, from, n > INT_MAX ? INT_MAX : (int)n);
	return rc > 0 ? rc : nothing(t, rc);
}

void part_tls_free(struct tls *t)
{
	SSL_free(t->ssl); /* with its BIO */
	BIO_meth_free(t->socket);
	SSL_CTX_free(t->ctx);
	EVP_PKEY_free(t->key);
	X509_free(t->own);
	X509_free(t->peer);
	free(t);
}
