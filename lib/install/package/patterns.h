/*
 * patterns.h - which providers a place has: [HOST/]NAMESPACE/TYPE, where any
 * part may be "*"
 */
#ifndef TFPIPE_INSTALL_PATTERNS_H
#define TFPIPE_INSTALL_PATTERNS_H

#include "addr/addr.h"

enum { PATTERN_PARTS = 3 };

/* The parts of s, with the default host where it has none; false: it has other
 * than two or three. */
bool pattern_parts(struct str s, struct str parts[PATTERN_PARTS]);
/* What is behind a wildcard must be one, too. */
bool pattern_valid(struct arena *a, struct str s);
bool pattern_matches(struct str s, struct provider_addr p);

#endif
