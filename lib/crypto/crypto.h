/*
 * crypto.h - digests, ciphers, RSA, bcrypt and TLS; wraps libcrypto, libssl and
 * libcrypt
 *
 * Loading those libraries takes longer than most programs of this family run,
 * and few runs need them.  So they are linked to crypto.so, which is
 * loaded by the first call of a function here: from the program's own
 * directory, or where it is installed (base/dso.h).  Without it each
 * function fails in the way that it says.
 */
#ifndef TFPIPE_CRYPTO_CRYPTO_H
#define TFPIPE_CRYPTO_CRYPTO_H

#include <sys/types.h>

#include "base/str.h"

/* --- digests --- */

enum { DIGEST_MAX = 64 }; /* bytes of the longest: SHA-512 */

struct digest;

/* Loads the libraries now: processes forked from here on need not. */
void digest_load(void);
/* algorithm: md5, sha1, sha256, sha384 or sha512.  NULL: not available. */
struct digest *digest_new(const char *algorithm);
void digest_add(struct digest *d, const void *p, size_t n);
/* The digest and its length; 0 when the library failed.  Frees d, which may be
 * NULL: that is 0, too. */
size_t digest_end(struct digest *d, unsigned char sum[DIGEST_MAX]);
/* The digest of s. */
size_t digest_of(const char *algorithm, struct str s,
		 unsigned char sum[DIGEST_MAX]);
/* The digest of s as text; empty when the library failed. */
struct str digest_hex(struct arena *a, const char *algorithm, struct str s);
struct str digest_base64(struct arena *a, const char *algorithm, struct str s);
/* HMAC-SHA256 (RFC 2104); the key may be what the sum replaces. */
size_t digest_hmac(struct str key, struct str s, unsigned char sum[DIGEST_MAX]);
/* HMAC with md5, sha1 or sha256. */
size_t digest_hmac_of(const char *algorithm, struct str key, struct str s,
		      unsigned char sum[DIGEST_MAX]);

/* --- ciphers --- */

enum { GCM_NONCE = 12, GCM_TAG = 16 }; /* bytes before and after the cipher */

/* AES-GCM with a key of 16, 24 or 32 bytes: adds a nonce, the cipher text and
 * the tag to out.  aad, which may be empty, is vouched for, too.  Returns 0, or
 * -1, also for a key of another length. */
int crypto_seal(struct str key, struct str aad, struct str plain,
		struct buf *out);
/* Adds the plain text to out.  -1: it was not sealed so. */
int crypto_open(struct str key, struct str aad, struct str sealed,
		struct buf *out);

/* PBKDF2 (RFC 8018) with HMAC of that digest: fills n bytes at key.  May run in
 * a thread, after digest_load.  Returns 0, or -1. */
int crypto_pbkdf2(const char *digest, struct str passphrase, struct str salt,
		  int rounds, unsigned char *key, size_t n);

/* --- passwords --- */

enum { BCRYPT_SIZE = 64 }; /* of the text, with its NUL */

/* As OpenTofu writes it ($2a$); cost: 4 to 31.  -1: not available. */
int bcrypt_hash(const char *password, int cost, char hash[BCRYPT_SIZE]);

/* --- RSA keys, decryption and signatures --- */

struct rsa_key;

/* A PEM block: PKCS #1, PKCS #8 or OpenSSH's own form, without a passphrase.
 * NULL, or what is wrong. */
const char *rsa_key_parse(struct str pem, struct rsa_key **out);
void rsa_key_free(struct rsa_key *key);

/* PKCS #12, opened with a password: its key and its certificates, in PEM.
 * Returns 0, or -1. */
int rsa_key_pkcs12(struct str bytes, const char *password, struct buf *key,
		   struct buf *certificates);

/* PKCS #1 v1.5. Returns 0, or -1. */
int rsa_decrypt(const struct rsa_key *key, struct str cipher, struct buf *out);

/* PKCS #1 v1.5 of the text's SHA-256 (RS256).  Returns 0, or -1. */
int rsa_sign(const struct rsa_key *key, struct str text, struct buf *out);

/* --- mutual TLS with a plugin, as go-plugin makes it ---
 *
 * Each side makes a certificate for "localhost" for this one connection; the
 * host's travels in the plugin's environment, the plugin's in its handshake.
 * Each accepts exactly the other's. */

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
void tls_free(struct tls *t); /* does not close fd; t may be NULL */

#endif
