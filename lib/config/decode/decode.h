/* decode.h - what of a file's blocks others decode themselves */
#ifndef TFPIPE_CONFIG_DECODE_DECODE_H
#define TFPIPE_CONFIG_DECODE_DECODE_H

#include "config/config.h"

/*
 * decode_encryption.c: encryption blocks, so far as they can be read without
 * evaluating anything
 *
 * The arguments of key providers and methods stay in their bodies: lib/encrypt
 * evaluates those that are used.
 */

struct cfg_encryption_block { /* a key_provider or a method */
	struct str type, name;
	struct str alias;  /* encrypted_metadata_alias; or empty */
	struct body *body; /* its arguments, without the alias */
	struct range at;
};
struct cfg_encryption_blocks VEC_OF(struct cfg_encryption_block);

struct cfg_encryption_target {
	struct expression method; /* root NULL: not given */
	bool enforced;
	const struct cfg_encryption_target *fallback; /* or NULL */
	struct range at;
};

struct cfg_encryption_named { /* remote_state_data_source "name" */
	struct str name;
	const struct cfg_encryption_target *target;
};
struct cfg_encryption_names VEC_OF(struct cfg_encryption_named);

struct cfg_encryption {
	struct cfg_encryption_blocks keys, methods;
	/* NULL where they are not given */
	const struct cfg_encryption_target *state, *plan, *remote;
	struct cfg_encryption_names named;
	struct range at;
};

/* Reads the body of the block at `at`.  -1: it is wrong by itself, and does not
 * count. */
int cfg_encryption_decode(struct arena *a, const struct body *b,
			  const struct range *at, struct cfg_encryption *out,
			  struct diags *ds);

/*
 * dropped.c: attributes of object constructors that conversion to a variable's
 * type leaves out
 */

/* Warns of attributes of object constructors that the type does not have
 * ("Object attribute is ignored"); what: whose type it is. */
void config_warn_dropped(struct expression e, const struct type *t,
			 const char *what, struct diags *ds);

#endif
