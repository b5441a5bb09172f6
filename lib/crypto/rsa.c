/*
 * rsa.c - RSA keys, decryption, signatures; see crypto.h; part of crypto.so
 *
 * The padding is taken off here, because newer libraries answer a wrong
 * padding with random text instead of an error.
 */
#include <stdlib.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>

#include "crypto/crypto_dso_int.h"

struct rsa_key {
	EVP_PKEY *pkey;
};

/* A key of numbers (in network order) n, e and d. */
static EVP_PKEY *key_of_numbers(struct str n, struct str e, struct str d)
{
	const struct str parts[3] = { n, e, d };
	const char *const names[3] = { OSSL_PKEY_PARAM_RSA_N,
				       OSSL_PKEY_PARAM_RSA_E,
				       OSSL_PKEY_PARAM_RSA_D };
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
	OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
	BIGNUM *bn[3] = { NULL, NULL, NULL };
	OSSL_PARAM *params = NULL;
	EVP_PKEY *pkey = NULL;
	bool ok = ctx && bld;

	for (int i = 0; i < 3 && ok; i++) {
		bn[i] = BN_bin2bn((const unsigned char *)parts[i].p,
				  (int)parts[i].n, NULL);
		ok = bn[i] && OSSL_PARAM_BLD_push_BN(bld, names[i], bn[i]);
	}
	if (ok)
		params = OSSL_PARAM_BLD_to_param(bld);
	if (!params || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_KEYPAIR, params) != 1)
		pkey = NULL;
	OSSL_PARAM_free(params);
	OSSL_PARAM_BLD_free(bld);
	EVP_PKEY_CTX_free(ctx);
	for (int i = 0; i < 3; i++)
		BN_clear_free(bn[i]);
	return pkey;
}

/* --- OpenSSH's form (PROTOCOL.key): strings with lengths before them --- */

static bool take_int(struct str *s, uint32_t *n)
{
	const unsigned char *p = (const unsigned char *)s->p;

	if (s->n < 4)
		return false;
	*n = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
	     p[3];
	*s = str_sub(*s, 4, s->n);
	return true;
}

static bool take_string(struct str *s, struct str *out)
{
	uint32_t n;

	if (!take_int(s, &n) || n > s->n)
		return false;
	*out = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	return true;
}

static const char *parse_openssh(struct str s, EVP_PKEY **out)
{
	static const char magic[] = "openssh-key-v1"; /* with its NUL */
	const char *invalid = "malformed OpenSSH key";
	struct str cipher, kdf, options, pub, priv, type, n, e, d;
	uint32_t nkeys, check1, check2;

	if (s.n < sizeof(magic) || memcmp(s.p, magic, sizeof(magic)) != 0)
		return invalid;
	s = str_sub(s, sizeof(magic), s.n);
	if (!take_string(&s, &cipher) || !take_string(&s, &kdf) ||
	    !take_string(&s, &options) || !take_int(&s, &nkeys) || nkeys != 1 ||
	    !take_string(&s, &pub) || !take_string(&s, &priv))
		return invalid;
	if (!str_is(cipher, "none"))
		return "this private key is passphrase protected";
	if (!take_int(&priv, &check1) || !take_int(&priv, &check2) ||
	    check1 != check2 || !take_string(&priv, &type))
		return invalid;
	if (!str_is(type, "ssh-rsa"))
		return "it is no RSA key";
	if (!take_string(&priv, &n) || !take_string(&priv, &e) ||
	    !take_string(&priv, &d))
		return invalid;
	*out = key_of_numbers(n, e, d);
	return *out ? NULL : invalid;
}

/* --- PEM --- */

static const char *parse_block(const char *name, const char *header,
			       struct str der, EVP_PKEY **out)
{
	const unsigned char *p = (const unsigned char *)der.p;

	if (strstr(header, "ENCRYPTED"))
		return "this private key is passphrase protected";
	if (strcmp(name, "OPENSSH PRIVATE KEY") == 0)
		return parse_openssh(der, out);
	if (strcmp(name, "RSA PRIVATE KEY") == 0)
		*out = d2i_PrivateKey(EVP_PKEY_RSA, NULL, &p, (long)der.n);
	else if (strcmp(name, "PRIVATE KEY") == 0)
		*out = d2i_AutoPrivateKey(NULL, &p, (long)der.n);
	else if (strcmp(name, "EC PRIVATE KEY") == 0 ||
		 strcmp(name, "DSA PRIVATE KEY") == 0)
		return "it is no RSA key";
	else
		return "unsupported key type";
	if (!*out)
		return "malformed key";
	return EVP_PKEY_get_base_id(*out) == EVP_PKEY_RSA ? NULL
							  : "it is no RSA key";
}

const char *part_rsa_key_parse(struct str pem, struct rsa_key **out)
{
	BIO *bio = BIO_new_mem_buf(pem.p ? pem.p : "", (int)pem.n);
	char *name = NULL, *header = NULL;
	unsigned char *data = NULL;
	const char *wrong;
	EVP_PKEY *pkey = NULL;
	long len = 0;

	if (!bio || !PEM_read_bio(bio, &name, &header, &data, &len))
		wrong = "no key found";
	else
		wrong = parse_block(name, header,
				    (struct str){ (char *)data, (size_t)len },
				    &pkey);
	ERR_clear_error();
	BIO_free(bio);
	OPENSSL_free(name);
	OPENSSL_free(header);
	OPENSSL_clear_free(data, (size_t)len);
	if (wrong) {
		EVP_PKEY_free(pkey);
		return wrong;
	}
	*out = xcalloc(1, sizeof(**out));
	(*out)->pkey = pkey;
	return NULL;
}

void part_rsa_key_free(struct rsa_key *key)
{
	EVP_PKEY_free(key->pkey);
	free(key);
}

/* 00 02, at least eight bytes that are not zero, 00, the text. */
static int take_padding_off(const unsigned char *p, size_t n, struct buf *out)
{
	size_t i = 2;

	if (n < 11 || p[0] != 0 || p[1] != 2)
		return -1;
	while (i < n && p[i] != 0)
		i++;
	if (i == n || i < 10)
		return -1;
	buf_add(out, p + i + 1, n - i - 1);
	return 0;
}

int part_rsa_decrypt(const struct rsa_key *key, struct str cipher,
		     struct buf *out)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key->pkey, NULL);
	size_t size = (size_t)EVP_PKEY_get_size(key->pkey), n = size;
	unsigned char *plain = xcalloc(1, size);
	int rc = -1;

	if (ctx && cipher.n <= size && EVP_PKEY_decrypt_init(ctx) == 1 &&
	    EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING) == 1 &&
	    EVP_PKEY_decrypt(ctx, plain, &n, (const unsigned char *)cipher.p,
			     cipher.n) == 1)
		rc = take_padding_off(plain, n, out);
	ERR_clear_error();
	EVP_PKEY_CTX_free(ctx);
	explicit_bzero(plain, size);
	free(plain);
	return rc;
}

int part_rsa_sign(const struct rsa_key *key, struct str text, struct buf *out)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	size_t n = (size_t)EVP_PKEY_get_size(key->pkey);
	unsigned char *sum = xcalloc(1, n);
	int rc = -1;

	if (ctx &&
	    EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key->pkey) == 1 &&
	    EVP_DigestSign(ctx, sum, &n, (const unsigned char *)text.p,
			   text.n) == 1) {
		buf_add(out, sum, n);
		rc = 0;
	}
	ERR_clear_error();
	EVP_MD_CTX_free(ctx);
	free(sum);
	return rc;
}

/* --- PKCS #12 --- */

static int take_pem(BIO *bio, struct buf *out)
{
	char *p;
	const long n = BIO_get_mem_data(bio, &p);

	if (n > 0)
		buf_add(out, p, (size_t)n);
	BIO_free(bio);
	return n > 0 ? 0 : -1;
}

static int write_parts(EVP_PKEY *pkey, X509 *cert, struct buf *key,
		       struct buf *certificates)
{
	BIO *first = BIO_new(BIO_s_mem()), *second = BIO_new(BIO_s_mem());
	const bool ok = first && second &&
			PEM_write_bio_PKCS8PrivateKey(first, pkey, NULL, NULL,
						      0, NULL, NULL) == 1 &&
			PEM_write_bio_X509(second, cert) == 1;

	if (ok)
		return take_pem(first, key) | take_pem(second, certificates);
	BIO_free(first);
	BIO_free(second);
	return -1;
}

int part_rsa_key_pkcs12(struct str bytes, const char *password, struct buf *key,
			struct buf *certificates)
{
	/* Most such files are encrypted in ways that are not on by default. */
	OSSL_PROVIDER *old = OSSL_PROVIDER_try_load(NULL, "legacy", 1);
	BIO *bio = BIO_new_mem_buf(bytes.p, (int)bytes.n);
	PKCS12 *p12 = bio ? d2i_PKCS12_bio(bio, NULL) : NULL;
	EVP_PKEY *pkey = NULL;
	X509 *cert = NULL;
	int rc = -1;

	if (p12 && PKCS12_parse(p12, password, &pkey, &cert, NULL) == 1 &&
	    pkey && cert)
		rc = write_parts(pkey, cert, key, certificates);
	EVP_PKEY_free(pkey);
	X509_free(cert);
	PKCS12_free(p12);
	BIO_free(bio);
	OSSL_PROVIDER_unload(old);
	ERR_clear_error();
	return rc;
}
