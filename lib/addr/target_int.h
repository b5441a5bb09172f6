/* target_int.h - addresses from traversals and from text */
#ifndef TFPIPE_ADDR_TARGET_INT_H
#define TFPIPE_ADDR_TARGET_INT_H

#include "addr/addr_int.h"

/* The summary of an error about an option's address. */
const char *target_invalid(struct arena *a, const char *option,
			   struct str text);

#endif
