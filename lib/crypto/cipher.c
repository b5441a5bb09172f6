/*
 * cipher.c - AES-GCM, and keys made of passphrases; see crypto.h; part of
 * crypto.so
 *
 * The library counts bytes in int, so a long text goes through it in pieces.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "crypto/crypto_dso_int.h"

enum { PIECE = 1 << 24 };

static const EVP_CIPHER *cipher_of(struct str key)
{
	switch (key.n) {
	case 16:
		return EVP_aes_128_gcm();
	case 24:
		return EVP_aes_192_gcm();
	case 32:
		return EVP_aes_256_gcm();
	}
	return NULL;
}

static EVP_CIPHER_CTX *begin(struct str key, const unsigned char *nonce,
			     int encrypt)
{
	const EVP_CIPHER *cipher = cipher_of(key);
	EVP_CIPHER_CTX *ctx = cipher ? EVP_CIPHER_CTX_new() : NULL;

	if (ctx &&
	    EVP_CipherInit_ex(ctx, cipher, NULL, (const unsigned char *)key.p,
			      nonce, encrypt) == 1)
		return ctx;
	EVP_CIPHER_CTX_free(ctx);
	return NULL;
}

/* to NULL: what is authenticated only. */
static bool update(EVP_CIPHER_CTX *ctx, unsigned char *to, struct str from)
{
	int n, made;

	for (; from.n; from = str_sub(from, (size_t)n, from.n)) {
		n = from.n < PIECE ? (int)from.n : PIECE;
		if (EVP_CipherUpdate(ctx, to, &made,
				     (const unsigned char *)from.p, n) != 1)
			return false;
		if (to)
			to += made;
	}
	return true;
}

int part_gcm_seal(struct str key, struct str aad, struct str plain,
		  struct buf *out)
{
	unsigned char nonce[GCM_NONCE], tag[GCM_TAG], *to;
	EVP_CIPHER_CTX *ctx;
	int rc = -1, made;

	if (RAND_bytes(nonce, GCM_NONCE) != 1 || !(ctx = begin(key, nonce, 1)))
		return -1;
	buf_grow(out, GCM_NONCE + plain.n + GCM_TAG);
	to = (unsigned char *)out->p + out->len + GCM_NONCE;
	if (update(ctx, NULL, aad) && update(ctx, to, plain) &&
	    EVP_CipherFinal_ex(ctx, to + plain.n, &made) == 1 &&
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, GCM_TAG, tag) == 1) {
		memcpy(to - GCM_NONCE, nonce, GCM_NONCE);
		memcpy(to + plain.n, tag, GCM_TAG);
		out->len += GCM_NONCE + plain.n + GCM_TAG;
		out->p[out->len] = '\0';
		rc = 0;
	}
	EVP_CIPHER_CTX_free(ctx);
	return rc;
}

int part_gcm_open(struct str key, struct str aad, struct str sealed,
		  struct buf *out)
{
	unsigned char tag[GCM_TAG], *to;
	EVP_CIPHER_CTX *ctx;
	struct str in;
	int rc = -1, made;

	if (sealed.n < GCM_NONCE + GCM_TAG ||
	    !(ctx = begin(key, (const unsigned char *)sealed.p, 0)))
		return -1;
	in = str_sub(sealed, GCM_NONCE, sealed.n - GCM_TAG);
	memcpy(tag, in.p + in.n, GCM_TAG);
	buf_grow(out, in.n);
	to = (unsigned char *)out->p + out->len;
	if (update(ctx, NULL, aad) && update(ctx, to, in) &&
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_TAG, GCM_TAG, tag) == 1 &&
	    EVP_CipherFinal_ex(ctx, to + in.n, &made) == 1) {
		out->len += in.n;
		rc = 0;
	} else {
		OPENSSL_cleanse(to, in.n); /* nobody vouches for it */
	}
	out->p[out->len] = '\0';
	EVP_CIPHER_CTX_free(ctx);
	return rc;
}

int part_pbkdf2(const char *digest, struct str passphrase, struct str salt,
		int rounds, unsigned char *key, size_t n)
{
	const EVP_MD *md = EVP_get_digestbyname(digest);

	if (!md || passphrase.n > INT32_MAX || salt.n > INT32_MAX ||
	    n > INT32_MAX)
		return -1;
	return PKCS5_PBKDF2_HMAC(passphrase.p ? passphrase.p : "",
				 (int)passphrase.n,
				 (const unsigned char *)salt.p, (int)salt.n,
				 rounds, md, (int)n, key) == 1
		       ? 0
		       : -1;
}
