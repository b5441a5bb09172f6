/* package_int.h - what the files of this room share */
#ifndef TFPIPE_INSTALL_PACKAGE_PACKAGE_INT_H
#define TFPIPE_INSTALL_PACKAGE_PACKAGE_INT_H

#include "base/str.h"

/* kept.c: what the files about kept packages share (kept.h) */

/* The directories of what is kept, in the directory `top` of it all. */
#define KEPT_ARCHIVES "archives"
#define KEPT_REPOSITORIES "repositories"

#endif
