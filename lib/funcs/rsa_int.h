/*
 * rsa_int.h - RSA keys and decryption for rsadecrypt(); wraps libcrypto
 */
#ifndef TFPIPE_FUNCS_RSA_INT_H
#define TFPIPE_FUNCS_RSA_INT_H

#include "base/str.h"

struct rsa_key;

/* A PEM block: PKCS #1, PKCS #8 or OpenSSH's own form, without a passphrase.
 * NULL, or what is wrong. */
const char *rsa_key_parse(struct str pem, struct rsa_key **out);
void rsa_key_free(struct rsa_key *key);

/* PKCS #1 v1.5. Returns 0, or -1. */
int rsa_decrypt(const struct rsa_key *key, struct str cipher,
		struct buf *out);

#endif
