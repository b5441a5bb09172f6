/* decode_terraform_int.h - terraform and language blocks */
#ifndef TFPIPE_CONFIG_DECODE_TERRAFORM_INT_H
#define TFPIPE_CONFIG_DECODE_TERRAFORM_INT_H

#include "config/decode/decode_int.h"

void decode_terraform(struct decoder *d, const struct block *b);
void decode_language(struct decoder *d, const struct block *b);
void check_compatible(struct decoder *d, const struct cfg_file *f);

#endif
