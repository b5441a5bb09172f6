/* decode_check_int.h - check blocks, and the rules they share with others */
#ifndef TFPIPE_CONFIG_DECODE_CHECK_INT_H
#define TFPIPE_CONFIG_DECODE_CHECK_INT_H

#include "config/decode/decode_int.h"

/* Returns -1 if the rule cannot be used; *out is filled as far as possible. */
int decode_condition(struct decoder *d, const struct block *b,
		     struct cfg_condition *out);
void decode_check(struct decoder *d, const struct block *b);

#endif
