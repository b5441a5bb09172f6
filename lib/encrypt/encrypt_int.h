/* encrypt_int.h - what the files of lib/encrypt share */
#ifndef TFPIPE_ENCRYPT_ENCRYPT_INT_H
#define TFPIPE_ENCRYPT_ENCRYPT_INT_H

#include "config/decode/decode.h"
#include "encrypt/encrypt.h"
#include "json/json.h"
#include "value/value.h"

struct encryption {
	struct arena *a;
	struct config *c; /* whose variables arguments refer to */
	const struct config_options *o;
	struct remote *remote;
	struct cfg_encryption cfg;
	struct map keys;      /* of this run: see key.c */
	struct map derived;   /* being derived: key_pbkdf2.c */
	struct map vaults;    /* who asks them: key_azure.c */
	struct map envelopes; /* by the target's name */
	int ring;             /* key_ring.c; -1: none */
	bool ring_applies;    /* a stage that follows will store the state */
	bool hands_on;        /* the key that seals is made for that stage */
};

#define ENCRYPT_VARIABLE "TF_ENCRYPTION"

/* The value of TF_ENCRYPTION without the white space around it. */
struct str encrypt_environment(void);
/* Reads both places into e->cfg. */
int encrypt_settings(struct encryption *e, struct diags *ds);

/* envelope.c: a target: how its texts are opened and sealed */

struct envelope {
	struct encryption *e;
	struct str name; /* as errors have it: "state" */
	VEC(const struct cfg_encryption_block *) methods;
	struct method *sealer; /* the first, set up; or NULL */
};

/* Sets up the method that seals. */
int envelope_finish(struct envelope *env, struct diags *ds);

/* key.c: key providers: evaluated, and at work */

/* Keys, and what is stored to find the second one again. */
struct key_pair {
	struct str encrypt, decrypt; /* empty: there is none */
};

/* What they are asked for. */
enum key_use { KEY_ENCRYPT, KEY_DECRYPT };

/* Of one envelope: the provider's name, or its alias -> the JSON text
 * (const struct str *). */
struct key_meta {
	enum key_use use;
	struct map in;    /* what was stored; KEY_ENCRYPT: empty */
	struct map out;   /* to store; KEY_DECRYPT: empty */
	bool unavailable; /* a provider failed, not what it was told */
};

/* A provider at work. */
struct key_job {
	struct encryption *e;
	const struct cfg_encryption_block *block;
	enum key_use use;
	const struct value *args; /* an object: all arguments and blocks */
	const struct json *in;    /* what was stored; NULL: nothing */
	struct key_pair keys;     /* out */
	struct str out;           /* out: to store; empty: nothing */
};

struct key_argument {
	const char *name;
	/* &type_dynamic: keys, of another provider (struct key_pair). */
	const struct type *type; /* NULL ends the list */
	bool required;
	/* A block with these arguments, at most one; type is then dynamic. */
	const struct key_argument *block;
	/* An object with these attributes; type is then dynamic. */
	const struct key_argument *object;
};

struct key_maker {
	const char *type;
	const struct key_argument *arguments;
	/* Fills keys and out. -1: *why says what is wrong, a sentence without
	 * its full stop, that has no secret in it; *build: with the
	 * arguments. */
	int (*provide)(struct key_job *j, struct str *why, bool *build);
	/* Begins to make the key that encrypts; false: it could not.  May be
	 * NULL. */
	bool (*begin)(struct key_job *j);
};

extern const struct key_maker key_pbkdf2, key_external, key_xor;
extern const struct key_maker key_openbao, key_aws_kms, key_gcp_kms;
extern const struct key_maker key_azure_vault;

/* Who is being evaluated, to notice circles. */
struct key_scene {
	const struct key_scene *outer;
	const struct cfg_encryption_block *block; /* or NULL */
	struct key_meta *meta;
	const char *subject;
	struct range at;
};

/* The value of x, without marks; NULL after a diagnostic. */
const struct value *key_evaluate(struct encryption *e,
				 const struct key_scene *s, struct expression x,
				 struct diags *ds);
/* An object with all arguments of b, null where they are not given; NULL after
 * a diagnostic. */
const struct value *key_arguments(struct encryption *e,
				  const struct key_scene *s,
				  const struct body *b,
				  const struct key_argument *rows,
				  struct diags *ds);
struct key_kept { /* what a provider made in this run */
	struct key_pair pair;
	struct map out; /* to store, also of those that it needed */
};

/* Copies diagnostics without what they show of values and lines. */
void key_tell(struct diags *ds, const struct diags *own,
	      const struct range *at);
/* The object of values by their names. */
const struct value *key_object(struct arena *a, const struct map *m);
/* The value of an expression of the block at `at`, in which key providers are
 * known; without marks.  NULL after a diagnostic. */
const struct value *key_value(struct encryption *e, struct key_meta *meta,
			      struct expression x, const char *subject,
			      const struct range *at, struct diags *ds);
/* The keys in a value, an object as key providers make it. */
int key_pair_of(struct encryption *e, const struct value *v,
		const struct range *at, struct key_pair *out, struct diags *ds);
const struct value *key_pair_value(struct arena *a, const struct key_pair *k);
/* Begins to make the key, if x is one key provider that can do so. */
bool key_begin(struct encryption *e, struct expression x);

/* Arguments of a job: of type string, number and so on; empty, NULL or
 * `otherwise` where they are not given. */
struct str key_string(const struct key_job *j, const char *name);
int64_t key_int(const struct key_job *j, const char *name, int64_t otherwise);
const char *const *key_argv(struct encryption *e, const struct value *list);
/* Waits for all that was begun. */
void key_derived_end(struct encryption *e);

/* A member that is base64; empty where it is not there, *bad where it is
 * something else. */
struct str key_json_bytes(struct arena *a, const struct json *j,
			  const char *name, bool *bad);

/* key_ring.c: keys handed on to the other stages of a run */

/* Takes the ring that this process has inherited, if there is one. */
void key_ring_take(struct encryption *e);
/* What another stage made, or this one.  False: nobody did. */
bool key_ring_find(struct encryption *e, struct str id, struct key_kept *k);
void key_ring_add(struct encryption *e, struct str id,
		  const struct key_kept *k);

/* method.c: methods: what encrypts with a key */

struct method {
	const struct cfg_encryption_block *block;
	struct key_meta meta;
	struct key_pair keys;
	bool keyless; /* an external one that was given none */
	struct str aad;
	const char *const *encrypt, *const *decrypt; /* programs */
};

bool method_is_unencrypted(const struct cfg_encryption_block *b);
/* Sets up m->block with m->meta. */
int method_setup(struct encryption *e, struct method *m, struct diags *ds);
/* Adds to out; -1 with *why as for key providers. */
int method_encrypt(struct encryption *e, const struct method *m,
		   struct str plain, struct buf *out, struct str *why);
int method_decrypt(struct encryption *e, const struct method *m,
		   struct str sealed, struct buf *out, struct str *why);
/* Begins to make its key beside other work.  False: that can only be done in
 * turn, or the method is wrong. */
bool method_begin(struct encryption *e, const struct cfg_encryption_block *b);

/* program.c: external programs of OpenTofu's protocol */

/* Runs a program that speaks OpenTofu's protocol of external programs: writes
 * input, checks the line that names it (magic), and parses the rest.  NULL
 * with *why. */
const struct json *encrypt_program(struct arena *a, const char *const *argv,
				   const char *magic, struct str input,
				   struct str *why);

#endif
