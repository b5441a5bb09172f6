/* decode_refactor_int.h - moved, removed and import blocks */
#ifndef TFPIPE_CONFIG_DECODE_REFACTOR_INT_H
#define TFPIPE_CONFIG_DECODE_REFACTOR_INT_H

#include "config/decode/decode_int.h"

void decode_moved(struct decoder *d, const struct block *b);
void decode_removed(struct decoder *d, const struct block *b);
void decode_import(struct decoder *d, const struct block *b);
/* Works out static_to and to_is_static from to. */
int decode_import_address(struct arena *a, struct cfg_import *im,
			  struct diags *ds);

#endif
