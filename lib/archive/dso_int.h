/*
 * dso_int.h - what archive.so offers to the program that loads it
 *
 * A member does what the function of its name does, see archive.h; it
 * calls nothing of the program's.
 */
#ifndef TFPIPE_ARCHIVE_DSO_INT_H
#define TFPIPE_ARCHIVE_DSO_INT_H

#include "archive/archive.h"

struct archive_dso {
	const char *version;
	struct packed *(*new)(unsigned kinds);
	int (*open)(struct packed *p, const char *path);
	int (*next)(struct packed *p, struct packed_entry *out);
	int (*data)(struct packed *p, const void **block, size_t *n,
		    int64_t *at);
	const char *(*why)(struct packed *p);
	void (*close)(struct packed *p);
};

extern const struct archive_dso archive_dso;

#endif
