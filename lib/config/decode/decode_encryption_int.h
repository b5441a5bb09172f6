/*
 * decode_encryption_int.h - encryption blocks, so far as they can be wrong by
 * themselves
 */
#ifndef TFPIPE_CONFIG_DECODE_ENCRYPTION_INT_H
#define TFPIPE_CONFIG_DECODE_ENCRYPTION_INT_H

#include "config/decode/decode_int.h"

/* -1: it is wrong by itself, and does not count. */
int check_encryption(struct decoder *d, const struct block *b);

#endif
