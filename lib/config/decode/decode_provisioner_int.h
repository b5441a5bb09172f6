/*
 * decode_provisioner_int.h - provisioner blocks of resources and removed
 * blocks
 */
#ifndef TFPIPE_CONFIG_DECODE_PROVISIONER_INT_H
#define TFPIPE_CONFIG_DECODE_PROVISIONER_INT_H

#include "config/decode/decode_int.h"

struct cfg_provisioner *decode_provisioner(struct decoder *d,
					   const struct block *b);
/* A destroy-time body may refer to its own object only. */
void check_only_self(struct decoder *d, const struct body *b);

#endif
