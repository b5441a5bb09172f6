/*
 * uuid.h - random identifiers (RFC 4122)
 */
#ifndef TFPIPE_BASE_UUID_H
#define TFPIPE_BASE_UUID_H

#include <stddef.h>

enum { UUID_BYTES = 16, UUID_SIZE = 37 }; /* the text's with its NUL */

/* The text of an identifier that is marked as of this version. */
void uuid_text(const unsigned char id[UUID_BYTES], int version,
	       char text[UUID_SIZE]);
/* A random one, version 4.  0, or -1. */
int uuid_random(char text[UUID_SIZE]);

#endif
