/* claim_int.h - temporary directories of packages; see providers_int.h */
#ifndef TFPIPE_INSTALL_CLAIM_INT_H
#define TFPIPE_INSTALL_CLAIM_INT_H

#include "install/providers/lockfile.h"
#include "install/package/owned_dir.h"
#include "install/providers/places.h"
#include "install/providers/providers.h"
#include "install/providers/remote.h"
#include "install/providers/verify.h"
#include "install/package/workers.h"

/* claim.c: a descriptor that keeps others from removing what is unpacked beside
 * `place`, ROOT/…/VERSION/OS_ARCH; VERSION must exist.  Removes what killed
 * processes left in it and in other versions.  -1: locks do not work. */
int place_claim(struct arena *a, struct str place);

#endif
