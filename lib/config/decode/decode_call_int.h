/* decode_call_int.h - module blocks */
#ifndef TFPIPE_CONFIG_DECODE_CALL_INT_H
#define TFPIPE_CONFIG_DECODE_CALL_INT_H

#include "config/decode/decode_int.h"

void decode_call(struct decoder *d, const struct block *b);

#endif
