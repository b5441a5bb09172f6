/*
 * method.c - methods: aes_gcm, external and unencrypted
 *
 * An external program gets {"key":"base64","payload":"base64"}, without a key
 * where the method has none, and answers {"payload":"base64"}.
 */
#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "crypto/crypto.h"
#include "json/write.h"
#include "value/convert.h"

static const struct attr_schema aes_attrs[] = { { "keys", true },
						{ "aad", false },
						{ NULL, false } };
static const struct attr_schema external_attrs[] = {
	{ "keys", false },
	{ "encrypt_command", true },
	{ "decrypt_command", true },
	{ NULL, false }
};
static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

bool method_is_unencrypted(const struct cfg_encryption_block *b)
{
	return str_is(b->type, "unencrypted");
}

/* -1 after a diagnostic; the method then does not count. */
static int read_body(struct encryption *e, const struct cfg_encryption_block *b,
		     struct body_content *c, struct diags *ds)
{
	const struct body_schema aes = { .attrs = aes_attrs,
					 .blocks = no_blocks };
	const struct body_schema external = { .attrs = external_attrs,
					      .blocks = no_blocks };

	if (str_is(b->type, "aes_gcm"))
		return body_content(e->a, b->body, &aes, c, ds);
	if (str_is(b->type, "external"))
		return body_content(e->a, b->body, &external, c, ds);
	return diag_error(ds, &b->at, "Unknown encryption method type",
			  "There is no encryption method \"%.*s\".",
			  STR_ARG(b->type));
}

static const struct value *value_of(struct encryption *e, struct method *m,
				    const struct body_content *c,
				    const char *name, struct diags *ds)
{
	const struct attribute *at = content_attr(c, name);
	const char *subject =
		arena_printf(e->a, "method.%.*s.%.*s", STR_ARG(m->block->type),
			     STR_ARG(m->block->name));

	return key_value(e, &m->meta, at->expr, subject, &m->block->at, ds);
}

static int invalid(const struct method *m, struct diags *ds, const char *why)
{
	return diag_error(ds, &m->block->at, "Invalid method configuration",
			  "method.%.*s.%.*s: %s.", STR_ARG(m->block->type),
			  STR_ARG(m->block->name), why);
}

static bool key_fits(struct str key)
{
	return key.n == 16 || key.n == 24 || key.n == 32;
}

static int setup_aes(struct encryption *e, struct method *m,
		     const struct body_content *c, struct diags *ds)
{
	const struct value *aad;
	struct key_pair data;
	const struct str names[1] = { STR("encryption_key") };

	if ((m->meta.use == KEY_ENCRYPT && !key_fits(m->keys.encrypt)) ||
	    (m->keys.decrypt.n && !key_fits(m->keys.decrypt)))
		return invalid(m, ds,
			       "AES-GCM needs keys of 16, 24 or 32 bytes");
	if (!content_attr(c, "aad"))
		return 0;
	aad = value_of(e, m, c, "aad", ds);
	if (!aad || key_pair_of(e, value_object(e->a, names, &aad, 1),
				&m->block->at, &data, ds))
		return -1;
	m->aad = data.encrypt;
	return 0;
}

static const char *const *command(struct encryption *e, struct method *m,
				  const struct body_content *c,
				  const char *name, struct diags *ds)
{
	const struct value *v = value_of(e, m, c, name, ds);
	const char *const *argv;
	struct verror err = { 0 };

	if (!v)
		return NULL;
	argv = key_argv(e, convert(e->a, v, &type_list_string, &err));
	if (!argv)
		invalid(m, ds,
			arena_printf(
				e->a,
				"\"%s\" must be a list that begins with the name of a program",
				name));
	return argv;
}

static int setup_external(struct encryption *e, struct method *m,
			  const struct body_content *c, struct diags *ds)
{
	m->encrypt = command(e, m, c, "encrypt_command", ds);
	m->decrypt = command(e, m, c, "decrypt_command", ds);
	return m->encrypt && m->decrypt ? 0 : -1;
}

int method_setup(struct encryption *e, struct method *m, struct diags *ds)
{
	const struct value *keys;
	struct body_content c;

	if (read_body(e, m->block, &c, ds))
		return -1;
	m->keyless = !content_attr(&c, "keys");
	if (!m->keyless) {
		keys = value_of(e, m, &c, "keys", ds);
		if (!keys || key_pair_of(e, keys, &m->block->at, &m->keys, ds))
			return -1;
	}
	return str_is(m->block->type, "aes_gcm") ? setup_aes(e, m, &c, ds)
						 : setup_external(e, m, &c, ds);
}

bool method_begin(struct encryption *e, const struct cfg_encryption_block *b)
{
	struct diags unused = DIAGS_INIT(e->a);
	const struct attribute *at;
	struct body_content c;

	/* Nothing else of it must be able to fail later. */
	return str_is(b->type, "aes_gcm") && !read_body(e, b, &c, &unused) &&
	       !content_attr(&c, "aad") && (at = content_attr(&c, "keys")) &&
	       key_begin(e, at->expr);
}

static int ask_program(struct encryption *e, const char *const *argv,
		       struct str key, struct str payload, struct buf *out,
		       struct str *why)
{
	struct arena scratch = ARENA_INIT;
	struct buf input = BUF_INIT;
	struct jw w = JW_INIT(&input);
	const struct json *answer;
	bool bad = false;
	struct str got;

	jw_object(&w);
	if (key.n)
		jw_member_str(&w, "key", base64_encode(&scratch, key));
	jw_member_str(&w, "payload", base64_encode(&scratch, payload));
	jw_object_end(&w);
	answer = encrypt_program(&scratch, argv,
				 "OpenTofu-External-Encryption-Method",
				 buf_view(&input), why);
	buf_release(&input);
	if (answer) {
		got = key_json_bytes(&scratch, answer, "payload", &bad);
		if (bad || answer->kind != JSON_OBJECT)
			*why = str_printf(
				e->a,
				"the answer of %s is not one of the protocol: {\"payload\":\"...\"}",
				argv[0]);
		else
			buf_str(out, got);
	} else {
		*why = str_dup(e->a, *why);
	}
	arena_release(&scratch);
	return why->n ? -1 : 0;
}

int method_encrypt(struct encryption *e, const struct method *m,
		   struct str plain, struct buf *out, struct str *why)
{
	if (m->encrypt)
		return ask_program(e, m->encrypt, m->keys.encrypt, plain, out,
				   why);
	if (!crypto_seal(m->keys.encrypt, m->aad, plain, out))
		return 0;
	*why = STR("libcrypto could not do it");
	return -1;
}

int method_decrypt(struct encryption *e, const struct method *m,
		   struct str sealed, struct buf *out, struct str *why)
{
	if (!m->keyless && !m->keys.decrypt.n) {
		*why = STR("no decryption key available");
		return -1;
	}
	if (m->decrypt)
		return ask_program(e, m->decrypt, m->keys.decrypt, sealed, out,
				   why);
	if (!crypto_open(m->keys.decrypt, m->aad, sealed, out))
		return 0;
	*why = STR("message authentication failed");
	return -1;
}
