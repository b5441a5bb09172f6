/* decode_required_int.h - required_providers blocks and version constraints */
#ifndef TFPIPE_CONFIG_DECODE_REQUIRED_INT_H
#define TFPIPE_CONFIG_DECODE_REQUIRED_INT_H

#include "config/decode/decode_int.h"

/* A version constraint that must be known; *out stays as it is for null. */
int decode_version(struct decoder *d, const struct attribute *at,
		   struct str *out);
/* A provider's version: at most three numbers, no "v". */
int decode_provider_version(struct decoder *d, const struct attribute *at,
			    struct str *out);
void decode_required_providers(struct decoder *d, const struct block *b);

#endif
