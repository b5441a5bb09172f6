/* crypto.c - see crypto.h: what the module does, once it is loaded */
#include "crypto/module_int.h"

#include "base/module.h"

#pragma weak crypto_module

static const struct crypto_module *module(void)
{
	static const struct crypto_module *loaded;

	if (&crypto_module)
		return &crypto_module;
	if (!loaded)
		loaded = module_table("crypto", "crypto_module");
	return loaded;
}

struct digest *digest_new(const char *algorithm)
{
	return module() ? module()->digest_new(algorithm) : NULL;
}

void digest_add(struct digest *d, const void *p, size_t n)
{
	if (d)
		module()->digest_add(d, p, n);
}

size_t digest_end(struct digest *d, unsigned char sum[DIGEST_MAX])
{
	return d ? module()->digest_end(d, sum) : 0;
}

size_t digest_of(const char *algorithm, struct str s,
		 unsigned char sum[DIGEST_MAX])
{
	struct digest *d = digest_new(algorithm);

	digest_add(d, s.p, s.n);
	return digest_end(d, sum);
}

int bcrypt_hash(const char *password, int cost, char hash[BCRYPT_SIZE])
{
	return module() ? module()->bcrypt_hash(password, cost, hash) : -1;
}

const char *rsa_key_parse(struct str pem, struct rsa_key **out)
{
	return module() ? module()->rsa_key_parse(pem, out)
			: "RSA is not available on this machine";
}

void rsa_key_free(struct rsa_key *key)
{
	if (key)
		module()->rsa_key_free(key);
}

int rsa_decrypt(const struct rsa_key *key, struct str cipher, struct buf *out)
{
	return module()->rsa_decrypt(key, cipher, out);
}

struct tls *tls_new(struct arena *a, const char **pem)
{
	*pem = NULL;
	return module() ? module()->tls_new(a, pem) : NULL;
}

int tls_connect(struct tls *t, int fd, struct str certificate)
{
	return module()->tls_connect(t, fd, certificate);
}

ssize_t tls_read(struct tls *t, void *to, size_t n)
{
	return module()->tls_read(t, to, n);
}

ssize_t tls_write(struct tls *t, const void *from, size_t n)
{
	return module()->tls_write(t, from, n);
}

void tls_free(struct tls *t)
{
	if (t)
		module()->tls_free(t);
}
