/*
 * hash_funcs.c - md5, sha1, sha256, sha512, base64sha256, base64sha512, the
 * same of files, uuid, uuidv5
 */
#include <ctype.h>

#include "base/base64.h"
#include "base/uuid.h"
#include "crypto/crypto.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"

/* The data of each function's struct func. */
struct hash {
	const char *algorithm;
	bool base64; /* else lower-case hexadecimal */
};

static const struct hash md5 = { "md5", false }, sha1 = { "sha1", false },
			 sha256 = { "sha256", false },
			 sha512 = { "sha512", false },
			 base64sha256 = { "sha256", true },
			 base64sha512 = { "sha512", true };

static const struct value *hash_bytes(struct func_call *c, struct str s)
{
	const struct hash *h = c->func->data;
	unsigned char sum[DIGEST_MAX];
	struct buf b = BUF_INIT;
	size_t n = digest_of(h->algorithm, s, sum);

	if (!n)
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

#define HASH(hash_, text) \
	const struct func func_##hash_ = { \
		.name = #hash_, \
		.description = text " of a string.", \
		.params = PARAMS({ "str", &type_string, 0, NULL }), \
		.result = &type_string, \
		.impl = do_hash, \
		.data = (void *)&hash_, \
	}; \
	const struct func func_file##hash_ = { \
		.name = "file" #hash_, \
		.description = text " of a file's contents.", \
		.params = PARAMS({ "path", &type_string, 0, NULL }), \
		.result = &type_string, \
		.impl = do_filehash, \
		.flags = FUNC_ELSEWHERE, \
		.data = (void *)&hash_, \
	}

HASH(md5, "The MD5 hash, in hexadecimal,");
HASH(sha1, "The SHA-1 hash, in hexadecimal,");
HASH(sha256, "The SHA-256 hash, in hexadecimal,");
HASH(sha512, "The SHA-512 hash, in hexadecimal,");
HASH(base64sha256, "The SHA-256 hash, in Base64,");
HASH(base64sha512, "The SHA-512 hash, in Base64,");

static const struct value *text_value(struct func_call *c, const char *text)
{
	return value_string(c->arena, str_dup(c->arena, str_c(text)));
}

static const struct value *do_uuid(struct func_call *c)
{
	char text[UUID_SIZE];

	return uuid_random(text)
		       ? func_fail(c, -1, "no random numbers are available")
		       : text_value(c, text);
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
		id[n / 2] =
			(unsigned char)(id[n / 2] << 4 |
					(isdigit((unsigned char)s.p[i])
						 ? s.p[i] - '0'
						 : (s.p[i] | 32) - 'a' + 10));
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
		{ "dns", 0x10 },
		{ "url", 0x11 },
		{ "oid", 0x12 },
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
	unsigned char id[UUID_BYTES] = { 0 }, sum[DIGEST_MAX];
	const char *wrong = uuid_namespace(c->arena, ns, id);
	struct digest *d;
	char text[UUID_SIZE];

	if (wrong)
		return func_fail(
			c, -1, "uuidv5() doesn't support namespace %.*s (%.*s)",
			STR_ARG(ns), STR_ARG(str_c(wrong)));
	d = digest_new("sha1");
	digest_add(d, id, sizeof(id));
	digest_add(d, name.p, name.n);
	if (!digest_end(d, sum))
		return func_fail(c, -1,
				 "sha1 is not available on this machine");
	uuid_text(sum, 5, text);
	return text_value(c, text);
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
