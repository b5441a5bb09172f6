/* gpgv.h - OpenPGP signatures, by gpgv(1); see verify.h */
#ifndef TFPIPE_INSTALL_GPGV_H
#define TFPIPE_INSTALL_GPGV_H

#include "addr/addr.h"
#include "base/opts.h"
#include "install/providers/remote.h"

/* gpgv.c: a detached signature of document by one of the armored keys.  0 with
 * the primary key's ID; 1: none of them made it; -1 with *why. */
int gpgv_verify(struct arena *a, struct str document, struct str signature,
		const struct str_vec *keys, struct str scratch,
		struct str *key_id, bool *expired, struct str *why);

#endif
