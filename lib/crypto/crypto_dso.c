/* crypto_dso.c - the table of functions of crypto.so; see crypto_dso_int.h */
#include "crypto/crypto_dso_int.h"
#include "base/product.h"

__attribute__((visibility("default"))) const struct crypto_dso crypto_dso = {
	.version = PACKAGE_VERSION,
	.digest_new = part_digest_new,
	.digest_add = part_digest_add,
	.digest_end = part_digest_end,
	.gcm_seal = part_gcm_seal,
	.gcm_open = part_gcm_open,
	.pbkdf2 = part_pbkdf2,
	.bcrypt_hash = part_bcrypt_hash,
	.rsa_key_parse = part_rsa_key_parse,
	.rsa_key_pkcs12 = part_rsa_key_pkcs12,
	.rsa_key_free = part_rsa_key_free,
	.rsa_decrypt = part_rsa_decrypt,
	.rsa_sign = part_rsa_sign,
	.tls_new = part_tls_new,
	.tls_connect = part_tls_connect,
	.tls_read = part_tls_read,
	.tls_write = part_tls_write,
	.tls_free = part_tls_free,
};
