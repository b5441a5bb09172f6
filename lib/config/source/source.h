/* source.h - module source addresses: local, in a registry, or remote */
#ifndef TFPIPE_CONFIG_SOURCE_H
#define TFPIPE_CONFIG_SOURCE_H

#include "config/config.h"

/* A path without "." and without "x/.."; "" when nothing is left. Only what is
 * written counts, no file is looked at. */
struct str source_path_clean(struct arena *a, struct str path);
/* Classifies the source address of a call.  Returns its normal form, or
 * STR_NONE with *summary and *why set.  versioned: the call has a version. */
struct str source_read(struct arena *a, struct str s, bool versioned,
		       enum source_kind *kind, const char **summary,
		       struct str *why);

#endif
