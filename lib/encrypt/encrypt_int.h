/*
 * encrypt_int.h - what the files of lib/encrypt share
 */
#ifndef TFPIPE_ENCRYPT_ENCRYPT_INT_H
#define TFPIPE_ENCRYPT_ENCRYPT_INT_H

#include "config/decode/decode_encryption.h"
#include "encrypt/encrypt.h"

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
};

#define ENCRYPT_VARIABLE "TF_ENCRYPTION"

/* The value of TF_ENCRYPTION without the white space around it. */
struct str encrypt_environment(void);
/* Reads both places into e->cfg. */
int encrypt_settings(struct encryption *e, struct diags *ds);

#endif
