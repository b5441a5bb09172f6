/*
 * hash.c - md5, sha1, sha256, sha512, base64sha256, base64sha512, the same of
 * files, uuid, uuidv5
 */
#include <ctype.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/base64.h"
#include "funcs/funcs_int.h"

/* What each function of the family is; its struct func's data. */
struct hash {
	const char *algorithm;
	bool base64; /* else lower-case hexadecimal */
};

static const struct hash md5 = { "MD5", false }, sha1 = { "SHA1", false },
			 sha256 = { "SHA256", false },
			 sha512 = { "SHA512", false },
			 base64sha256 = { "SHA256", true },
			 base64sha512 = { "SHA512", true };

static const struct value *hash_bytes(struct func_call *c, struct str s)
{
	const struct hash *h = c->func->data;
	unsigned char sum[EVP_MAX_MD_SIZE];
	struct buf b = BUF_INIT;
	size_t n;

	if (!EVP_Q_digest(NULL, h->algorithm, NULL, s.p ? s.p : "", s.n, sum,
			  &n))
		return func_fail(c, -1, "%s is not available on this machine",
				 h->algorithm);
	if (h->base64)
		return value_string(c->arena,
				    base64_encode(c->arena,
						  (struct str){ (char *)sum,
								n }));
	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%02x", sum[i]);
	return buf_value(c->arena, &b);
}

static const struct value *do_hash(struct func_call *c)
{
	return hash_bytes(c, arg_str(c, 0));
}

static const struct value *do_filehash(struct func_call *c)
{
	struct buf content = BUF_INIT;
	const struct value *v;

	if (func_read_file(c, arg_str(c, 0), NULL, &content)) {
		c->err->arg = -1;
		return NULL;
	}
	v = hash_bytes(c, buf_view(&content));
	buf_release(&content);
	return v;
}

#define HASH(hash_, text)                                                    \
	const struct func func_##hash_ = {                                   \
		.name = #hash_,                                              \
		.description = text " of a string.",                         \
		.params = PARAMS({ "str", &type_string, 0, NULL }),          \
		.result = &type_string,                                      \
		.impl = do_hash,                                             \
		.data = (void *)&hash_,                                      \
	};                                                                   \
	const struct func func_file##hash_ = {                               \
		.name = "file" #hash_,                                       \
		.description = text " of a file's contents.",                \
		.params = PARAMS({ "path", &type_string, 0, NULL }),         \
		.result = &type_string,                                      \
		.impl = do_filehash,                                         \
		.data = (void *)&hash_,                                      \
	}

HASH(md5, "The MD5 hash, in hexadecimal,");
HASH(sha1, "The SHA-1 hash, in hexadecimal,");
HASH(sha256, "The SHA-256 hash, in hexadecimal,");
HASH(sha512, "The SHA-512 hash, in hexadecimal,");
HASH(base64sha256, "The SHA-256 hash, in Base64,");
HASH(base64sha512, "The SHA-512 hash, in Base64,");

static const struct value *uuid_value(struct func_call *c,
				      unsigned char id[16], int version)
{
	struct buf b = BUF_INIT;

	id[6] = (unsigned char)((id[6] & 0x0f) | version << 4);
	id[8] = (id[8] & 0x3f) | 0x80;
	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			buf_putc(&b, '-');
		buf_addf(&b, "%02x", id[i]);
	}
	return buf_value(c->arena, &b);
}

static const struct value *do_uuid(struct func_call *c)
{
	unsigned char id[16];

	if (RAND_bytes(id, sizeof(id)) != 1)
		return func_fail(c, -1, "no random numbers are available");
	return uuid_value(c, id, 4);
}

const struct func func_uuid = {
	.name = "uuid",
	.description = "A random UUID, another one on each call.",
	.params = NO_PARAMS,
	.result = &type_string,
	.impl = do_uuid,
	.flags = FUNC_IMPURE,
};

/* 36 characters with dashes, 32 without, or the former as urn:uuid:... or in
 * braces.  NULL, or what is wrong. */
static const char *uuid_parse(struct arena *a, struct str s,
			      unsigned char id[16])
{
	bool dashes = s.n != 32;
	size_t n = 0, length = s.n;

	if (s.n == 45 && strncasecmp(s.p, "urn:uuid:", 9) == 0)
		s = str_sub(s, 9, s.n);
	else if (s.n == 45)
		return "invalid urn prefix";
	else if (s.n == 38)
		s = str_sub(s, 1, 37);
	if (s.n != 36 && s.n != 32)
		return arena_printf(a, "invalid UUID length: %zu", length);
	for (size_t i = 0; i < s.n; i++) {
		if (dashes && (i == 8 || i == 13 || i == 18 || i == 23)) {
			if (s.p[i] != '-')
				return "invalid UUID format";
			continue;
		}
		if (!isxdigit((unsigned char)s.p[i]))
			return "invalid UUID format";
		id[n / 2] = (unsigned char)(id[n / 2] << 4 |
					    (isdigit((unsigned char)s.p[i])
						     ? s.p[i] - '0'
						     : (s.p[i] | 32) - 'a' +
							       10));
		n++;
	}
	return NULL;
}

/* The name spaces of RFC 4122 differ in one byte. */
static const char *uuid_namespace(struct arena *a, struct str name,
				  unsigned char id[16])
{
	static const unsigned char known[16] = {
		0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
		0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
	};
	static const struct {
		const char *name;
		unsigned char byte;
	} names[] = {
		{ "dns", 0x10 }, { "url", 0x11 }, { "oid", 0x12 },
		{ "x500", 0x14 },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!str_is(name, names[i].name))
			continue;
		memcpy(id, known, 16);
		id[3] = names[i].byte;
		return NULL;
	}
	return uuid_parse(a, name, id);
}

static const struct value *do_uuidv5(struct func_call *c)
{
	struct str ns = arg_str(c, 0), name = arg_str(c, 1);
	unsigned char id[16] = { 0 }, sum[EVP_MAX_MD_SIZE];
	const char *wrong = uuid_namespace(c->arena, ns, id);
	struct buf b = BUF_INIT;
	size_t n;
	int ok;

	if (wrong)
		return func_fail(c, -1, "uuidv5() doesn't support namespace "
				 "%.*s (%.*s)", STR_ARG(ns),
				 STR_ARG(str_c(wrong)));
	buf_add(&b, id, sizeof(id));
	buf_str(&b, name);
	ok = EVP_Q_digest(NULL, "SHA1", NULL, b.p, b.len, sum, &n);
	buf_release(&b);
	if (!ok)
		return func_fail(c, -1,
				 "SHA1 is not available on this machine");
	return uuid_value(c, sum, 5);
}

const struct func func_uuidv5 = {
	.name = "uuidv5",
	.description = "The UUID, of version 5, that belongs to a name in a "
		       "name space: \"dns\", \"url\", \"oid\", \"x500\" or a "
		       "UUID.",
	.params = PARAMS({ "namespace", &type_string, 0, NULL },
			 { "name", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_uuidv5,
};
