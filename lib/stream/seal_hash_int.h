/* seal_hash_int.h - a hash of the content of a line */
#ifndef TFPIPE_STREAM_SEAL_HASH_INT_H
#define TFPIPE_STREAM_SEAL_HASH_INT_H

#include "base/opts.h"

/* A number for the content of text.  It counts only if text has one form:
 * otherwise the same could be written in another way, and the number is that of
 * the canonical text. */
uint64_t seal_hash(struct str text);
/* One line of JSON as this program would write it: no spaces, no escapes but
 * the necessary ones, numbers in one form.  Invalid JSON stays as it is. */
void seal_canonical(struct arena *scratch, struct str line, struct buf *out);

#endif
