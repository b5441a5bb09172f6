/* envelope_int.h - a target: how its texts are opened and sealed */
#ifndef TFPIPE_ENCRYPT_ENVELOPE_INT_H
#define TFPIPE_ENCRYPT_ENVELOPE_INT_H

#include "encrypt/encrypt_int.h"
#include "encrypt/envelope.h"

struct envelope {
	struct encryption *e;
	struct str name; /* as errors have it: "state" */
	VEC(const struct cfg_encryption_block *) methods;
	struct method *sealer; /* the first, set up; or NULL */
};

#endif
