/*
 * platform.h - the platform that packages are for
 */
#ifndef TFPIPE_INSTALL_PLATFORM_H
#define TFPIPE_INSTALL_PLATFORM_H

#include "base/str.h"

/* This machine: "linux_amd64". */
struct str package_platform(struct arena *a);

#endif
