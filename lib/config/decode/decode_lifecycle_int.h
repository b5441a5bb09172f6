/* decode_lifecycle_int.h - lifecycle blocks of resources, and provisioners */
#ifndef TFPIPE_CONFIG_DECODE_LIFECYCLE_INT_H
#define TFPIPE_CONFIG_DECODE_LIFECYCLE_INT_H

#include "config/decode/decode_int.h"

/* Sets skip_destroy and destroy_invalid. */
void lifecycle_destroy(struct arena *a, struct cfg_lifecycle *l);
struct cfg_lifecycle *decode_lifecycle(struct decoder *d, const struct block *b,
				       const struct cfg_resource *r);

#endif
