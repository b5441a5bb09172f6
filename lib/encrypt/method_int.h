/* method_int.h - methods: what encrypts with a key */
#ifndef TFPIPE_ENCRYPT_METHOD_INT_H
#define TFPIPE_ENCRYPT_METHOD_INT_H

#include "encrypt/key_int.h"

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

#endif
