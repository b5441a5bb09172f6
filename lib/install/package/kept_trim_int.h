/* kept_trim_int.h - limits the age and the size of what is kept; see kept.h */
#ifndef TFPIPE_INSTALL_KEPT_TRIM_INT_H
#define TFPIPE_INSTALL_KEPT_TRIM_INT_H

#include "base/str.h"

/* Removes entries unused for a month; then the least recently used, until the
 * rest is at most TFPIPE_CACHE_SIZE. */
void kept_trim(struct arena *a, struct str top);

#endif
