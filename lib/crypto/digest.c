/* digest.c - digests, see crypto.h; part of crypto.so */
#include <openssl/evp.h>

#include "crypto/crypto_dso_int.h"

_Static_assert(DIGEST_MAX >= EVP_MAX_MD_SIZE, "a digest fits");

/* struct digest is the library's own. */
struct digest *part_digest_new(const char *algorithm)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	if (!ctx ||
	    EVP_DigestInit_ex(ctx, EVP_get_digestbyname(algorithm), NULL) == 1)
		return (struct digest *)ctx;
	EVP_MD_CTX_free(ctx);
	return NULL;
}

void part_digest_add(struct digest *d, const void *p, size_t n)
{
	EVP_DigestUpdate((EVP_MD_CTX *)d, p, n);
}

size_t part_digest_end(struct digest *d, unsigned char *sum)
{
	unsigned n = 0;

	if (EVP_DigestFinal_ex((EVP_MD_CTX *)d, sum, &n) != 1)
		n = 0;
	EVP_MD_CTX_free((EVP_MD_CTX *)d);
	return n;
}
