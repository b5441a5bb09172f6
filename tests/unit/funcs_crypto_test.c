/*
 * funcs_crypto_test.c - functions of keys, passwords, chance and the clock
 */
#include <stdlib.h>
#include <time.h>
#include <crypt.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "base/base64.h"
#include "funcs_rows.h"

/* Evaluates expr in scope s, whose resolve and function are filled in. */
static const struct value *evaluate(struct arena *a, struct scope s,
				    const char *expr)
{
	struct diags ds = DIAGS_INIT(a);
	struct source *src = source_new(a, STR("test"), str_c(expr));
	struct expression e = parse_expression(a, src, &ds);
	const struct value *v;

	s.resolve = row_resolve;
	s.function = row_function;
	v = e.root ? eval_expression(a, &s, e, &ds) : NULL;
	return diags_failed(&ds) ? NULL : v;
}

/* --- RSA --- */

enum key_form { PKCS1, PKCS8, PKCS8_ENCRYPTED };

static char *key_text(EVP_PKEY *key, enum key_form form)
{
	const EVP_CIPHER *cipher = form == PKCS8_ENCRYPTED
					   ? EVP_aes_128_cbc() : NULL;
	BIO *bio = BIO_new(BIO_s_mem());
	char *p, *text;
	long n;
	int ok;

	if (form == PKCS1)
		ok = PEM_write_bio_PrivateKey_traditional(bio, key, NULL, NULL,
							  0, NULL, NULL);
	else
		ok = PEM_write_bio_PKCS8PrivateKey(bio, key, cipher, "x",
						   cipher ? 1 : 0, NULL,
						   NULL);
	CHECK(ok == 1);
	n = BIO_get_mem_data(bio, &p);
	text = strndup(p, (size_t)n);
	BIO_free(bio);
	return text;
}

static struct str encrypt(struct arena *a, EVP_PKEY *key, const char *text,
			  int padding)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	unsigned char out[512];
	size_t n = sizeof(out);

	CHECK(EVP_PKEY_encrypt_init(ctx) == 1);
	CHECK(EVP_PKEY_CTX_set_rsa_padding(ctx, padding) == 1);
	CHECK(EVP_PKEY_encrypt(ctx, out, &n, (const unsigned char *)text,
			       strlen(text)) == 1);
	EVP_PKEY_CTX_free(ctx);
	return base64_encode(a, (struct str){ (char *)out, n });
}

static void check_decrypt(struct str cipher, const char *key,
			  const char *want)
{
	struct arena a = ARENA_INIT;
	struct row row = { .want = want };

	row.expr = str_printf(&a, "rsadecrypt(\"%.*s\", <<KEY\n%sKEY\n)",
			      STR_ARG(cipher), key).p;
	check_row(&row);
	arena_release(&a);
}

static void test_rsa(void)
{
	struct arena a = ARENA_INIT;
	EVP_PKEY *key = EVP_RSA_gen(2048), *other = EVP_RSA_gen(1024);
	char *pkcs1 = key_text(key, PKCS1), *pkcs8 = key_text(key, PKCS8);
	char *locked = key_text(key, PKCS8_ENCRYPTED);
	char *wrong = key_text(other, PKCS1);
	struct str cipher = encrypt(&a, key, "open sesame", RSA_PKCS1_PADDING),
		   oaep = encrypt(&a, key, "x", RSA_PKCS1_OAEP_PADDING);

	check_decrypt(cipher, pkcs1, "\"open sesame\"");
	check_decrypt(cipher, pkcs8, "\"open sesame\"");
	check_decrypt(cipher, locked, "!invalid private key: ");
	check_decrypt(cipher, wrong, "!failed to decrypt: ");
	check_decrypt(oaep, pkcs1, "!failed to decrypt: ");
	check_decrypt(STR("AAAA"), pkcs1, "!failed to decrypt: ");
	check_decrypt(STR(""), pkcs1, "!failed to decrypt: ");
	check_decrypt(STR("?"), pkcs1, "!failed to decode input \"?\"");
	check_decrypt(cipher, "no key\n", "!invalid private key: ");
	free(pkcs1);
	free(pkcs8);
	free(locked);
	free(wrong);
	EVP_PKEY_free(key);
	EVP_PKEY_free(other);
	arena_release(&a);
}

/* --- passwords --- */

static void check_hash(const char *expr, const char *password,
		       const char *prefix)
{
	struct arena a = ARENA_INIT;
	struct scope s = { .base_dir = "." };
	const struct value *v = evaluate(&a, s, expr);
	char *hash = v ? arena_strndup(&a, v->string.p, v->string.n) : NULL;
	struct crypt_data data = { 0 };
	const char *again;

	CHECK_ROW(hash && strncmp(hash, prefix, strlen(prefix)) == 0, expr);
	again = hash ? crypt_r(password, hash, &data) : NULL;
	CHECK_ROW(again && strcmp(again, hash) == 0, expr);
	arena_release(&a);
}

static const struct row passwords[] = {
	{ "bcrypt(\"x\", 32)", "!cost 32 is outside allowed inclusive" },
	{ "bcrypt(\"x\", 4, 4)", "!no more than two arguments" },
	{ "bcrypt(\"x\", 4.5)", "!whole number" },
	{ "length(bcrypt(\"x\", 4))", "60" },
	{ "bcrypt(\"x\", 4) == bcrypt(\"x\", 4)", "false" },
	{ "bcrypt(join(\"\", [for i in range(73) : \"x\"]), 4)",
	  "!password length exceeds 72 bytes" },
	{ "bcrypt(sensitive(\"x\"), 4)", "(sensitive value)" },
};

static void test_bcrypt(void)
{
	check_hash("bcrypt(\"secret\", 4)", "secret", "$2a$04$");
	check_hash("bcrypt(\"\xc3\xa9\", 5)", "\xc3\xa9", "$2a$05$");
	check_hash("bcrypt(\"\", 4)", "", "$2a$04$");
	check_hash("bcrypt(\"x\", 0)", "x", "$2a$10$");
	CHECK_ROWS(passwords);
}

/* --- chance and the clock --- */

static const struct row impure[] = {
	{ "length(uuid())", "36" },
	{ "uuid() == uuid()", "false" },
	{ "can(regex(\"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$\", "
	  "uuid()))", "true" },
	{ "can(regex(\"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z$\", "
	  "timestamp()))", "true" },
	{ "timecmp(timestamp(), \"2020-01-01T00:00:00Z\")", "1" },
};

static void test_planning(void)
{
	static const char *const exprs[] = {
		"timestamp()", "uuid()", "bcrypt(\"x\", 4)",
	};
	struct arena a = ARENA_INIT;
	struct scope s = { .base_dir = ".", .pure_only = true };
	const struct value *v;

	for (size_t i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++) {
		v = evaluate(&a, s, exprs[i]);
		CHECK_ROW(v && v->state == VALUE_UNKNOWN &&
			  v->type == &type_string, exprs[i]);
	}
	v = evaluate(&a, s, "plantimestamp()");
	CHECK(v && v->state == VALUE_UNKNOWN);
	s.plan_timestamp = STR("2024-05-06T07:08:09Z");
	v = evaluate(&a, s, "plantimestamp()");
	CHECK(v && v->state == VALUE_KNOWN);
	CHECK_STR(v->string, "2024-05-06T07:08:09Z");
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_rsa());
	RUN(test_bcrypt());
	RUN(CHECK_ROWS(impure));
	RUN(test_planning());
	return test_done("funcs_crypto");
}
