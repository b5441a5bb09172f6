/* secure.c - see secure.h */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "secure.h"

struct secure {
	SSL_CTX *ctx;
	X509 *client;
};

static X509 *certificate_for(EVP_PKEY *key)
{
	X509 *x = X509_new();
	X509_NAME *name = x ? X509_get_subject_name(x) : NULL;

	if (x && X509_set_version(x, 2) &&
	    ASN1_INTEGER_set(X509_get_serialNumber(x), 1) &&
	    X509_gmtime_adj(X509_getm_notBefore(x), -30) &&
	    X509_gmtime_adj(X509_getm_notAfter(x), 3600) &&
	    X509_NAME_add_entry_by_txt(
		    name, "CN", MBSTRING_ASC,
		    (const unsigned char *)"localhost", -1, -1, 0) &&
	    X509_set_issuer_name(x, name) && X509_set_pubkey(x, key) &&
	    X509_sign(x, key, EVP_sha256()))
		return x;
	X509_free(x);
	return NULL;
}

static X509 *from_pem(const char *pem)
{
	BIO *b = BIO_new_mem_buf(pem, -1);
	X509 *x = b ? PEM_read_bio_X509(b, NULL, NULL, NULL) : NULL;

	BIO_free(b);
	return x;
}

static void tell(X509 *x, struct buf *out)
{
	unsigned char *der = NULL;
	int n = i2d_X509(x, &der);
	char *text = n > 0 ? xcalloc(1, (size_t)n * 2) : NULL;

	if (text) {
		EVP_EncodeBlock((unsigned char *)text, der, n);
		text[strcspn(text, "=")] = '\0';
		buf_puts(out, text);
	}
	free(text);
	OPENSSL_free(der);
}

static int verify(X509_STORE_CTX *store, void *data)
{
	const struct secure *s = data;
	X509 *got = X509_STORE_CTX_get0_cert(store);

	if (got && X509_cmp(got, s->client) == 0)
		return 1;
	X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_UNTRUSTED);
	return 0;
}

static int choose_h2(SSL *ssl, const unsigned char **out, unsigned char *n,
		     const unsigned char *in, unsigned in_n, void *data)
{
	static const unsigned char h2[] = { 2, 'h', '2' };

	(void)ssl, (void)data;
	return SSL_select_next_proto((unsigned char **)out, n, h2, sizeof(h2),
				     in, in_n) == OPENSSL_NPN_NEGOTIATED
		       ? SSL_TLSEXT_ERR_OK
		       : SSL_TLSEXT_ERR_ALERT_FATAL;
}

struct secure *secure_new(const char *client_pem, struct buf *certificate)
{
	struct secure *s = xcalloc(1, sizeof(*s));
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *own = key ? certificate_for(key) : NULL;

	s->client = from_pem(client_pem);
	s->ctx = SSL_CTX_new(TLS_server_method());
	if (!own || !s->client || !s->ctx ||
	    SSL_CTX_use_certificate(s->ctx, own) != 1 ||
	    SSL_CTX_use_PrivateKey(s->ctx, key) != 1)
		return NULL; /* and the process ends */
	SSL_CTX_set_verify(s->ctx, SSL_VERIFY_PEER |
				   SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
	SSL_CTX_set_cert_verify_callback(s->ctx, verify, s);
	SSL_CTX_set_alpn_select_cb(s->ctx, choose_h2, NULL);
	SSL_CTX_set_mode(s->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE |
				 SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	tell(own, certificate);
	X509_free(own);
	EVP_PKEY_free(key);
	return s;
}

struct ssl_st *secure_accept(struct secure *s, int fd)
{
	SSL *c = SSL_new(s->ctx);

	if (c && SSL_set_fd(c, fd) == 1) {
		SSL_set_accept_state(c);
		return c;
	}
	SSL_free(c);
	return NULL;
}

static ssize_t moved(SSL *c, int rc)
{
	int why = rc > 0 ? SSL_ERROR_NONE : SSL_get_error(c, rc);

	if (rc > 0)
		return rc;
	ERR_clear_error();
	if (why == SSL_ERROR_ZERO_RETURN)
		return 0;
	errno = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE
			? EAGAIN : EPROTO;
	return -1;
}

ssize_t secure_read(struct ssl_st *c, void *to, size_t n)
{
	return moved(c, SSL_read(c, to, (int)n));
}

ssize_t secure_write(struct ssl_st *c, const void *from, size_t n)
{
	return moved(c, SSL_write(c, from, (int)n));
}

void secure_close(struct ssl_st *c)
{
	SSL_free(c);
}
