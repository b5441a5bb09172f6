/*
 * release_age.h - releases that are too new to be chosen: minimum_release_age
 * of the CLI configuration
 *
 * Malicious releases are often found within days.  A registry may say in its
 * list of versions when each was published (published_at, as in RFC 3339);
 * where it does not, nothing is too new.
 */
#ifndef TFPIPE_INSTALL_RELEASE_AGE_H
#define TFPIPE_INSTALL_RELEASE_AGE_H

#include "base/str.h"

/* "7d", "36h", "90m": seconds; -1: it is none. */
int64_t release_age_parse(struct str text);
/* Was it published less than `least` seconds ago?  false if `published` is not
 * a date. */
bool release_too_new(struct arena *a, int64_t least, struct str published);

#endif
