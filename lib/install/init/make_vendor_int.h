/* make_vendor_int.h - init -make-vendor: all packages into a folder */
#ifndef TFPIPE_INSTALL_MAKE_VENDOR_INT_H
#define TFPIPE_INSTALL_MAKE_VENDOR_INT_H

#include "install/init/init.h"

/* Copies all modules and providers into t->vendor_dir.  -1: diagnosed, and a
 * folder that did not exist is removed again. */
int init_make_vendor(struct init *t);

#endif
