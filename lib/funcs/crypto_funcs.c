/*
 * crypto_funcs.c - bcrypt, rsadecrypt
 */
#include "crypto/crypto.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/number.h"

static const struct value *do_bcrypt(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	char hash[BCRYPT_SIZE];
	int64_t cost = 10;

	if (c->nargs > 1 && !value_get_int(c->args[1], &cost))
		return func_fail(c, -1, WHOLE_NUMBER);
	if (c->nargs > 2)
		return func_fail(c, -1,
				 "bcrypt() takes no more than two arguments");
	if (s.n > 72)
		return func_fail(
			c, -1,
			"error occurred generating password: password length exceeds 72 bytes");
	if (cost > 31)
		return func_fail(c, -1,
				 "error occurred generating password: "
				 "cost %lld is outside allowed inclusive "
				 "range 4..31",
				 (long long)cost);
	if (memchr(s.p, 0, s.n))
		return func_fail(
			c, -1,
			"error occurred generating password: it must not contain U+0000");
	if (bcrypt_hash(arena_strndup(c->arena, s.p, s.n),
			cost < 4 ? 10 : (int)cost, hash))
		return func_fail(c, -1,
				 "bcrypt is not available on this machine");
	return value_string(c->arena, str_dup(c->arena, str_c(hash)));
}

const struct func func_bcrypt = {
	.name = "bcrypt",
	.description =
		"A bcrypt hash of a password, with another salt on each call.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.variadic = PARAM(
		"cost", &type_number, 0,
		"How expensive it is to compute, 4 to 31; 10 if not given."),
	.result = &type_string,
	.impl = do_bcrypt,
	.flags = FUNC_IMPURE,
};

static const struct value *do_rsadecrypt(struct func_call *c)
{
	struct buf cipher = BUF_INIT, plain = BUF_INIT;
	const struct value *v = NULL;
	struct rsa_key *key = NULL;
	const char *wrong;
	size_t bad;

	if (encoding_base64_read(&cipher, arg_str(c, 0), &bad)) {
		func_fail(
			c, 0,
			"failed to decode input %.*s: cipher text must be base64-encoded",
			STR_ARG(func_quote(c->arena, arg_str(c, 0))));
		goto out;
	}
	wrong = rsa_key_parse(arg_str(c, 1), &key);
	if (wrong) {
		func_fail(c, 1, "invalid private key: %s", wrong);
		goto out;
	}
	if (rsa_decrypt(key, buf_view(&cipher), &plain)) {
		func_fail(
			c, -1,
			"failed to decrypt: the text was not encrypted for this key");
		goto out;
	}
	v = value_string(c->arena, buf_dup(c->arena, &plain));
out:
	rsa_key_free(key);
	buf_release(&cipher);
	if (plain.cap)
		explicit_bzero(plain.p, plain.cap);
	buf_release(&plain);
	return v;
}

const struct func func_rsadecrypt = {
	.name = "rsadecrypt",
	.description = "What a text, given in Base64, was before it was "
		       "encrypted with RSA (PKCS #1 v1.5).",
	.params = PARAMS({ "ciphertext", &type_string, 0, NULL },
			 { "privatekey", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_rsadecrypt,
};
