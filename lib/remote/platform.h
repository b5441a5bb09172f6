/*
 * platform.h - the platform of this machine, as packages have it
 */
#ifndef TFPIPE_REMOTE_PLATFORM_H
#define TFPIPE_REMOTE_PLATFORM_H

#include "base/str.h"

/* This machine: "linux_amd64". */
struct str platform_name(struct arena *a);

#endif
