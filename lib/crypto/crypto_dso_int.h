/*
 * crypto_dso_int.h - what crypto.so offers to the program that loads it
 *
 * A member does what the function of its name does (crypto.h), but takes
 * neither a digest nor a key that is NULL.  It calls nothing of the program's.
 * A program that has the table linked to it (tests, and every program built
 * with sanitizers) loads nothing.
 */
#ifndef TFPIPE_CRYPTO_DSO_INT_H
#define TFPIPE_CRYPTO_DSO_INT_H

#include "crypto/crypto.h"

struct crypto_dso {
	const char *version; /* of the package that it was built with */
	struct digest *(*digest_new)(const char *algorithm);
	void (*digest_add)(struct digest *d, const void *p, size_t n);
	size_t (*digest_end)(struct digest *d, unsigned char *sum);
	int (*gcm_seal)(struct str key, struct str aad, struct str plain,
			struct buf *out);
	int (*gcm_open)(struct str key, struct str aad, struct str sealed,
			struct buf *out);
	int (*pbkdf2)(const char *digest, struct str passphrase,
		      struct str salt, int rounds, unsigned char *key,
		      size_t n);
	int (*bcrypt_hash)(const char *password, int cost, char *hash);
	const char *(*rsa_key_parse)(struct str pem, struct rsa_key **out);
	int (*rsa_key_pkcs12)(struct str bytes, const char *password,
			      struct buf *key, struct buf *certificates);
	void (*rsa_key_free)(struct rsa_key *key);
	int (*rsa_decrypt)(const struct rsa_key *key, struct str cipher,
			   struct buf *out);
	int (*rsa_sign)(const struct rsa_key *key, struct str text,
			struct buf *out);
	struct tls *(*tls_new)(struct arena *a, const char **pem);
	int (*tls_connect)(struct tls *t, int fd, struct str certificate);
	ssize_t (*tls_read)(struct tls *t, void *to, size_t n);
	ssize_t (*tls_write)(struct tls *t, const void *from, size_t n);
	void (*tls_free)(struct tls *t);
};

extern const struct crypto_dso crypto_dso;

/* --- its functions --- */

struct digest *part_digest_new(const char *algorithm);
void part_digest_add(struct digest *d, const void *p, size_t n);
size_t part_digest_end(struct digest *d, unsigned char *sum);

int part_gcm_seal(struct str key, struct str aad, struct str plain,
		  struct buf *out);
int part_gcm_open(struct str key, struct str aad, struct str sealed,
		  struct buf *out);
int part_pbkdf2(const char *digest, struct str passphrase, struct str salt,
		int rounds, unsigned char *key, size_t n);

int part_bcrypt_hash(const char *password, int cost, char *hash);

const char *part_rsa_key_parse(struct str pem, struct rsa_key **out);
int part_rsa_key_pkcs12(struct str bytes, const char *password, struct buf *key,
			struct buf *certificates);
void part_rsa_key_free(struct rsa_key *key);
int part_rsa_decrypt(const struct rsa_key *key, struct str cipher,
		     struct buf *out);
int part_rsa_sign(const struct rsa_key *key, struct str text, struct buf *out);

struct tls *part_tls_new(struct arena *a, const char **pem);
int part_tls_connect(struct tls *t, int fd, struct str certificate);
ssize_t part_tls_read(struct tls *t, void *to, size_t n);
ssize_t part_tls_write(struct tls *t, const void *from, size_t n);
void part_tls_free(struct tls *t);

#endif
