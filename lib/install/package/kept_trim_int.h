/* kept_trim_int.h - what is kept has an end, in time and in size; see kept.h */
#ifndef TFPIPE_INSTALL_KEPT_TRIM_INT_H
#define TFPIPE_INSTALL_KEPT_TRIM_INT_H

#include "base/str.h"

/* Removes what nobody used for a month; then of the rest what was not used for
 * longest, until it is at most TFPIPE_CACHE_SIZE. */
void kept_trim(struct arena *a, struct str top);

#endif
