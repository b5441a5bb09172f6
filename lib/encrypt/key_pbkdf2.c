/*
 * key_pbkdf2.c - the key provider pbkdf2: keys made of a passphrase, or of
 * another provider's keys (chain)
 *
 * 600,000 rounds take the better part of a second: so a key that will be needed
 * is made in a thread, beside other work.  The thread touches nothing but its
 * struct, and whoever ends the program waits for it (encryption_end), since
 * libcrypto must not be unloaded beneath it.
 */
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>

#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "json/tree.h"
#include "json/write.h"

enum {
	LEAST_PASSPHRASE = 16,
	LEAST_ROUNDS = 200000,
	MOST_BYTES = 1 << 20, /* of a salt or key; OpenTofu has no limit */
};

static const struct key_argument arguments[] = {
	{ "passphrase", &type_string, false, NULL, NULL },
	{ "chain", &type_dynamic, false, NULL, NULL },
	{ "key_length", &type_number, false, NULL, NULL },
	{ "iterations", &type_number, false, NULL, NULL },
	{ "hash_function", &type_string, false, NULL, NULL },
	{ "salt_length", &type_number, false, NULL, NULL },
	{ NULL, NULL, false, NULL, NULL },
};

struct settings {
	int64_t key_length, rounds, salt_length;
	struct str hash;
	struct key_pair from; /* passphrases */
	bool chained;
};

struct derivation { /* a key that is made in a thread */
	pthread_t thread;
	bool running;
	const char *hash;
	struct str passphrase, salt;
	int rounds;
	unsigned char *key;
	size_t n;
	int rc;
};

static const char *check_settings(const struct settings *s)
{
	if (!s->from.encrypt.n)
		return "neither a passphrase nor a chained key provider is given";
	if (s->from.encrypt.n < LEAST_PASSPHRASE)
		return s->chained
			       ? "the key of the chained key provider is too short (minimum 16 bytes)"
			       : "passphrase is too short (minimum 16 characters)";
	if (s->chained && s->from.decrypt.n &&
	    s->from.decrypt.n < LEAST_PASSPHRASE)
		return "the key of the chained key provider is too short (minimum 16 bytes)";
	if (s->key_length <= 0 || s->key_length > MOST_BYTES)
		return "the key length must be larger than zero";
	if (s->rounds < LEAST_ROUNDS || s->rounds > INT_MAX)
		return "the number of iterations is dangerously low (<200000)";
	if (s->salt_length <= 0 || s->salt_length > MOST_BYTES)
		return "the salt length must be larger than zero";
	if (!str_is(s->hash, "sha256") && !str_is(s->hash, "sha512"))
		return "the hash function must be sha256 or sha512";
	return NULL;
}

/* NULL, or what is wrong with them. */
static const char *read_settings(const struct key_job *j, struct settings *s)
{
	struct str passphrase = key_string(j, "passphrase");
	const struct value *chain = value_get(j->args, STR("chain"));
	struct diags unused = DIAGS_INIT(j->e->a); /* it has been read once */

	*s = (struct settings){ .key_length = key_int(j, "key_length", 32),
				.rounds = key_int(j, "iterations", 600000),
				.salt_length = key_int(j, "salt_length", 32),
				.hash = key_string(j, "hash_function") };
	if (!s->hash.p)
		s->hash = STR("sha512");
	s->chained = chain && value_usable(chain);
	if (s->chained && passphrase.n)
		return "passphrase and chain are mutually exclusive";
	s->from = (struct key_pair){ passphrase, passphrase };
	if (s->chained)
		key_pair_of(j->e, chain, &j->block->at, &s->from, &unused);
	if (s->chained && j->use == KEY_DECRYPT && !s->from.decrypt.n)
		return NULL; /* there will be no key */
	return check_settings(s);
}

/* --- deriving --- */

static void *derive(void *data)
{
	struct derivation *d = data;

	d->rc = crypto_pbkdf2(d->hash, d->passphrase, d->salt, d->rounds,
			      d->key, d->n);
	return NULL;
}

static struct derivation *derivation_new(struct arena *a, struct str hash,
					 struct str passphrase, struct str salt,
					 int64_t rounds, int64_t n)
{
	struct derivation *d = ARENA_NEW(a, struct derivation);

	d->hash = arena_strndup(a, hash.p, hash.n);
	d->passphrase = passphrase;
	d->salt = salt;
	d->rounds = (int)rounds;
	d->n = (size_t)n;
	d->key = arena_alloc0(a, d->n);
	return d;
}

static struct derivation *new_key(struct arena *a, const struct settings *s)
{
	char *salt = arena_alloc(a, (size_t)s->salt_length);

	if (io_random(salt, (size_t)s->salt_length))
		return NULL;
	return derivation_new(a, s->hash, s->from.encrypt,
			      (struct str){ salt, (size_t)s->salt_length },
			      s->rounds, s->key_length);
}

static struct str job_id(const struct key_job *j)
{
	return str_printf(j->e->a, "%p", (const void *)j->block);
}

static bool begin(struct key_job *j)
{
	struct settings s;
	struct derivation *d;

	if (map_get(&j->e->derived, job_id(j)))
		return true;
	if (read_settings(j, &s) || s.chained ||
	    (s.key_length != 16 && s.key_length != 24 && s.key_length != 32) ||
	    !(d = new_key(j->e->a, &s)))
		return false;
	digest_load();
	d->running = pthread_create(&d->thread, NULL, derive, d) == 0;
	if (d->running)
		map_put(j->e->a, &j->e->derived, job_id(j), d);
	return d->running;
}

static void wait_for(struct derivation *d)
{
	if (d->running)
		pthread_join(d->thread, NULL);
	d->running = false;
}

void key_derived_end(struct encryption *e)
{
	for (size_t i = 0; i < e->derived.len; i++)
		wait_for(e->derived.entries[i].value);
}

/* --- the provider --- */

static struct str stored_text(const struct key_job *j, const struct settings *s,
			      struct str salt)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	jw_object(&w);
	jw_member_str(&w, "salt", base64_encode(j->e->a, salt));
	jw_member_int(&w, "iterations", s->rounds);
	jw_member_str(&w, "hash_function", s->hash);
	jw_member_int(&w, "key_length", s->key_length);
	jw_object_end(&w);
	return buf_take(j->e->a, &b);
}

static int encrypting(struct key_job *j, const struct settings *s,
		      struct str *why)
{
	struct derivation *d = map_get(&j->e->derived, job_id(j));

	if (d)
		wait_for(d);
	else if ((d = new_key(j->e->a, s)))
		derive(d);
	if (!d || d->rc) {
		*why = STR("libcrypto could not derive it");
		return -1;
	}
	j->keys.encrypt = (struct str){ (char *)d->key, d->n };
	j->out = stored_text(j, s, d->salt);
	return 0;
}

/* What was stored need not be what the arguments say now. */
static int decrypting(struct key_job *j, const struct settings *s,
		      struct str *why)
{
	const int64_t rounds = json_get_int(j->in, "iterations", 0);
	const int64_t n = json_get_int(j->in, "key_length", 0);
	struct str hash = json_get_str(j->in, "hash_function");
	struct derivation *d;
	bool bad = false;
	struct str salt = key_json_bytes(j->e->a, j->in, "salt", &bad);

	if (!bad && (!salt.n || !rounds || !n || !hash.n))
		return 0; /* nothing was stored: there is no key */
	if (bad || rounds < 0 || rounds > INT_MAX || n < 0 || n > MOST_BYTES ||
	    (!str_is(hash, "sha256") && !str_is(hash, "sha512"))) {
		*why = STR("what was stored for it cannot be used");
		return -1;
	}
	d = derivation_new(j->e->a, hash, s->from.decrypt, salt, rounds, n);
	derive(d);
	if (d->rc) {
		*why = STR("libcrypto could not derive it");
		return -1;
	}
	j->keys.decrypt = (struct str){ (char *)d->key, d->n };
	return 0;
}

static int provide(struct key_job *j, struct str *why, bool *build)
{
	struct settings s;
	const char *wrong = read_settings(j, &s);

	if (wrong) {
		*build = true;
		*why = str_c(wrong);
		return -1;
	}
	return j->use == KEY_ENCRYPT ? encrypting(j, &s, why)
				     : decrypting(j, &s, why);
}

const struct key_maker key_pbkdf2 = { "pbkdf2", arguments, provide, begin };
