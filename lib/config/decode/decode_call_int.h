/* decode_call_int.h - module blocks */
#ifndef TFPIPE_CONFIG_DECODE_CALL_INT_H
#define TFPIPE_CONFIG_DECODE_CALL_INT_H

#include "config/decode/decode_int.h"

/* providers = { child = parent, … } */
void decode_passes(struct decoder *d, const struct attribute *at,
		   struct cfg_call *call);
void decode_call(struct decoder *d, const struct block *b);

#endif
