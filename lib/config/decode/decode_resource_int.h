/* decode_resource_int.h - resource, data and ephemeral blocks */
#ifndef TFPIPE_CONFIG_DECODE_RESOURCE_INT_H
#define TFPIPE_CONFIG_DECODE_RESOURCE_INT_H

#include "config/decode/decode_int.h"

void decode_resource(struct decoder *d, const struct block *b,
		     enum resource_mode mode);
/* A data block in a check; NULL if it was not valid. */
struct cfg_resource *decode_nested_data(struct decoder *d,
					const struct block *b);

#endif
