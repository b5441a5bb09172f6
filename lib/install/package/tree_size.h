/*
 * tree_size.h - the size of directories
 */
#ifndef TFPIPE_INSTALL_TREE_SIZE_H
#define TFPIPE_INSTALL_TREE_SIZE_H

#include <stdint.h>

/* The bytes of all regular files below; of what cannot be read, none. */
int64_t tree_size(const char *dir);

#endif
