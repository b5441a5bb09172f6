/*
 * kept_int.h - what the files about kept packages share (kept.h)
 */
#ifndef TFPIPE_INSTALL_KEPT_INT_H
#define TFPIPE_INSTALL_KEPT_INT_H

#include "base/str.h"

/* The directories of what is kept, in the directory `top` of it all. */
#define KEPT_ARCHIVES "archives"
#define KEPT_REPOSITORIES "repositories"

#endif
