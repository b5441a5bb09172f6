/* decode_test_int.h - the blocks of a file of tests */
#ifndef TFPIPE_CONFIG_DECODE_TEST_INT_H
#define TFPIPE_CONFIG_DECODE_TEST_INT_H

#include "config/decode/decode_int.h"
#include "config/test.h"

/* A whole file; d->out is for the provider blocks on their way. */
void decode_test_file(struct decoder *d, const struct body *b,
		      struct cfg_test_file *out);

#endif
