/*
 * copy_tree.h - copies of directories
 *
 * Links stay links, regular files keep their permissions, special files are
 * left out.
 */
#ifndef TFPIPE_INSTALL_PACKAGE_COPY_TREE_H
#define TFPIPE_INSTALL_PACKAGE_COPY_TREE_H

#include "base/str.h"
#include "addr/addr.h"

enum copy_how {
	COPY_NOT, /* and nothing below it */
	COPY_BYTES,
	COPY_LINK,     /* a hard link, where the file system can */
	COPY_FOLLOWED, /* the targets of links, not above them */
};

/* How to copy a file or directory, by its path relative to the copied
 * directory; for directories only COPY_NOT matters. */
typedef enum copy_how copy_fn(const char *path);
copy_fn copy_all;      /* every byte */
copy_fn copy_followed; /* without any link */

/* A hard link, where the file system can, of a file or link, or a copy. */
int copy_file(const char *from, const char *to);
/* Copies the content of the directory `from` into `to`, made if need be.  0, or
 * -1 with errno. */
int copy_tree(const char *from, const char *to, copy_fn *how);

/*
 * patterns.c: patterns of provider addresses: [HOST/]NAMESPACE/TYPE, where any
 * part may be "*"
 */

enum { PATTERN_PARTS = 3 };

/* The parts of s, with the default host where it has none; false: it has other
 * than two or three. */
bool pattern_parts(struct str s, struct str parts[PATTERN_PARTS]);
/* Is it a pattern?  Parts after a wildcard must be wildcards, too. */
bool pattern_valid(struct arena *a, struct str s);
bool pattern_matches(struct str s, struct provider_addr p);

#endif
