/*
 * gzip.h - bytes compressed and read again; wraps zlib
 *
 * Few runs need it, so zlib is linked to codec.so, which the first call loads
 * (base/dso.h).  The format: RFC 1952.
 */
#ifndef TFPIPE_CODEC_GZIP_H
#define TFPIPE_CODEC_GZIP_H

#include "base/str.h"

/* Both append to *out and return NULL, or a static text with the error; *out
 * then has the output so far. */

const char *gzip_pack(struct buf *out, struct str in);
/* Reads one or several members after each other.  max: so many bytes and more
 * are refused. */
const char *gzip_unpack(struct buf *out, struct str in, size_t max);

#endif
