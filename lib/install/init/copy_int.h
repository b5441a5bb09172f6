/* copy_int.h - init -from-module */
#ifndef TFPIPE_INSTALL_COPY_INT_H
#define TFPIPE_INSTALL_COPY_INT_H

#include "install/init/init.h"

/* Fills the directory, which is empty, and installs the modules that it calls.
 * On failure (-1, diagnosed) the directory is as before. */
int init_copy(struct init *t);

#endif
