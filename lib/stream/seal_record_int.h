/* seal_record_int.h - the record `seal`, written and read (see seal.h) */
#ifndef TFPIPE_STREAM_SEAL_RECORD_INT_H
#define TFPIPE_STREAM_SEAL_RECORD_INT_H

#include "stream/seal_int.h"

/* Collects what the seals list of a kind, in order. */
void seal_listed(struct seal *s, int kind, struct kept *out);

#endif
