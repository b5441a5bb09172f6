/* decode_provider_int.h - provider blocks, references to them, requirements */
#ifndef TFPIPE_CONFIG_DECODE_PROVIDER_INT_H
#define TFPIPE_CONFIG_DECODE_PROVIDER_INT_H

#include "config/decode/decode_int.h"

void decode_provider(struct decoder *d, const struct block *b);
int decode_provider_ref(struct decoder *d, struct expression e,
			const char *argument, struct cfg_provider_ref *out);
/* "aws" or "aws.west" */
struct str provider_ref_name(struct arena *a, const struct cfg_provider_ref *r);
int check_provider_name(struct arena *a, struct str name,
			const struct range *at, struct diags *ds);

#endif
