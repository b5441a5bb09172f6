/* bcrypt.c - hashes of passwords, see crypto.h; part of crypto.so */
#include <string.h>
#include <crypt.h>

#include "crypto/crypto_dso_int.h"

/* $2b$ is the correct algorithm; its hashes are those that OpenTofu labels
 * $2a$, which libxcrypt computes with extra precautions. */
int part_bcrypt_hash(const char *password, int cost, char *hash)
{
	struct crypt_data data = { 0 };
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];
	const char *text = NULL;

	if (crypt_gensalt_rn("$2b$", (unsigned long)cost, NULL, 0, setting,
			     sizeof(setting)))
		text = crypt_r(password, setting, &data);
	if (text &&
	    (strncmp(text, "$2b$", 4) != 0 || strlen(text) >= BCRYPT_SIZE))
		text = NULL;
	if (text) {
		memcpy(hash, text, strlen(text) + 1);
		hash[2] = 'a';
	}
	explicit_bzero(&data, sizeof(data));
	return text ? 0 : -1;
}
