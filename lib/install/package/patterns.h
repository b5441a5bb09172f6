/*
 * patterns.h - patterns of provider addresses: [HOST/]NAMESPACE/TYPE, where any
 * part may be "*"
 */
#ifndef TFPIPE_INSTALL_PATTERNS_H
#define TFPIPE_INSTALL_PATTERNS_H

#include "addr/addr.h"

enum { PATTERN_PARTS = 3 };

/* The parts of s, with the default host where it has none; false: it has other
 * than two or three. */
bool pattern_parts(struct str s, struct str parts[PATTERN_PARTS]);
/* Is it a pattern?  Parts after a wildcard must be wildcards, too. */
bool pattern_valid(struct arena *a, struct str s);
bool pattern_matches(struct str s, struct provider_addr p);

#endif
