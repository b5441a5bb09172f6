/* crypto.c - see crypto.h: what crypto.so does, once it is loaded */
#include "crypto/crypto_dso_int.h"
#include "base/base64.h"
#include "base/dso.h"

enum { BLOCK = 64 }; /* bytes of SHA-256 */

#pragma weak crypto_dso

static const struct crypto_dso *dso(void)
{
	static const struct crypto_dso *loaded;

	if (!loaded)
		loaded = &crypto_dso; /* NULL where it is not linked */
	if (!loaded)
		loaded = dso_table("crypto", "crypto_dso");
	return loaded;
}

void digest_load(void)
{
	dso();
}

struct digest *digest_new(const char *algorithm)
{
	return dso() ? dso()->digest_new(algorithm) : NULL;
}

void digest_add(struct digest *d, const void *p, size_t n)
{
	if (d)
		dso()->digest_add(d, p, n);
}

size_t digest_end(struct digest *d, unsigned char sum[DIGEST_MAX])
{
	return d ? dso()->digest_end(d, sum) : 0;
}

size_t digest_of(const char *algorithm, struct str s,
		 unsigned char sum[DIGEST_MAX])
{
	struct digest *d = digest_new(algorithm);

	digest_add(d, s.p, s.n);
	return digest_end(d, sum);
}

struct str digest_hex(struct arena *a, const char *algorithm, struct str s)
{
	unsigned char sum[DIGEST_MAX];

	return str_hex(a, sum, digest_of(algorithm, s, sum));
}

struct str digest_base64(struct arena *a, const char *algorithm, struct str s)
{
	unsigned char sum[DIGEST_MAX];
	const size_t n = digest_of(algorithm, s, sum);

	return base64_encode(a, (struct str){ (const char *)sum, n });
}

int crypto_seal(struct str key, struct str aad, struct str plain,
		struct buf *out)
{
	return dso() ? dso()->gcm_seal(key, aad, plain, out) : -1;
}

int crypto_open(struct str key, struct str aad, struct str sealed,
		struct buf *out)
{
	return dso() ? dso()->gcm_open(key, aad, sealed, out) : -1;
}

int crypto_pbkdf2(const char *digest, struct str passphrase, struct str salt,
		  int rounds, unsigned char *key, size_t n)
{
	return dso() ? dso()->pbkdf2(digest, passphrase, salt, rounds, key, n)
		     : -1;
}

size_t digest_hmac(struct str key, struct str s, unsigned char sum[DIGEST_MAX])
{
	return digest_hmac_of("sha256", key, s, sum);
}

size_t digest_hmac_of(const char *algorithm, struct str key, struct str s,
		      unsigned char sum[DIGEST_MAX])
{
	unsigned char in[BLOCK] = { 0 }, out[BLOCK], inner[DIGEST_MAX];
	struct digest *d;
	size_t n;

	if (key.n > BLOCK)
		digest_of(algorithm, key, in);
	else if (key.n)
		memcpy(in, key.p, key.n);
	for (size_t i = 0; i < BLOCK; i++) {
		out[i] = in[i] ^ 0x5c;
		in[i] ^= 0x36;
	}
	d = digest_new(algorithm);
	digest_add(d, in, BLOCK);
	digest_add(d, s.p, s.n);
	n = digest_end(d, inner);
	d = digest_new(algorithm);
	digest_add(d, out, BLOCK);
	digest_add(d, inner, n);
	return digest_end(d, sum);
}

int bcrypt_hash(const char *password, int cost, char hash[BCRYPT_SIZE])
{
	return dso() ? dso()->bcrypt_hash(password, cost, hash) : -1;
}

const char *rsa_key_parse(struct str pem, struct rsa_key **out)
{
	return dso() ? dso()->rsa_key_parse(pem, out)
		     : "RSA is not available on this machine";
}

int rsa_key_pkcs12(struct str bytes, const char *password, struct buf *key,
		   struct buf *certificates)
{
	return dso() ? dso()->rsa_key_pkcs12(bytes, password, key, certificates)
		     : -1;
}

void rsa_key_free(struct rsa_key *key)
{
	if (key)
		dso()->rsa_key_free(key);
}

int rsa_decrypt(const struct rsa_key *key, struct str cipher, struct buf *out)
{
	return dso()->rsa_decrypt(key, cipher, out);
}

int rsa_sign(const struct rsa_key *key, struct str text, struct buf *out)
{
	return dso()->rsa_sign(key, text, out);
}

struct tls *tls_new(struct arena *a, const char **pem)
{
	*pem = NULL;
	return dso() ? dso()->tls_new(a, pem) : NULL;
}

int tls_connect(struct tls *t, int fd, struct str certificate)
{
	return dso()->tls_connect(t, fd, certificate);
}

ssize_t tls_read(struct tls *t, void *to, size_t n)
{
	return dso()->tls_read(t, to, n);
}

ssize_t tls_write(struct tls *t, const void *from, size_t n)
{
	return dso()->tls_write(t, from, n);
}

void tls_free(struct tls *t)
{
	if (t)
		dso()->tls_free(t);
}
