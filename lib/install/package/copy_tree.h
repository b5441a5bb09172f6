/*
 * copy_tree.h - copies of directories
 *
 * Links stay links, other files keep their permissions, what is neither a file
 * nor a directory nor a link is left out.
 */
#ifndef TFPIPE_INSTALL_COPY_TREE_H
#define TFPIPE_INSTALL_COPY_TREE_H

#include "base/str.h"

enum copy_how {
	COPY_NOT, /* and nothing below it */
	COPY_BYTES,
	COPY_LINK,     /* a hard link, where the file system can */
	COPY_FOLLOWED, /* what links lead to, which must not be above them */
};

/* What is to be done with a file or directory, whose path is relative to that
 * which is copied; of a directory COPY_NOT alone matters. */
typedef enum copy_how copy_fn(const char *path);
copy_fn copy_all;      /* every byte */
copy_fn copy_followed; /* without any link */

/* A hard link, where the file system can, of a file or link, or a copy. */
int copy_file(const char *from, const char *to);
/* Copies what is in the directory `from` into `to`, made if need be.  0, or -1
 * with errno. */
int copy_tree(const char *from, const char *to, copy_fn *how);

#endif
