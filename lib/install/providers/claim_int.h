/* claim_int.h - what is unpacked beside its place; see providers_int.h */
#ifndef TFPIPE_INSTALL_CLAIM_INT_H
#define TFPIPE_INSTALL_CLAIM_INT_H

#include "install/providers/lockfile.h"
#include "install/package/owned_dir.h"
#include "install/providers/places.h"
#include "install/providers/providers.h"
#include "install/providers/remote.h"
#include "install/providers/verify.h"
#include "install/package/workers.h"

/* claim.c: a descriptor that keeps others from removing what is unpacked
 * beside `place`, ROOT/…/VERSION/OS_ARCH; VERSION must be there.  What killed
 * processes left beside it and other versions is removed.  -1: there are no
 * locks. */
int place_claim(struct arena *a, struct str place);

#endif
