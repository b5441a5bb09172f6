/*
 * dynamic_int.h - dynamic blocks: from one block with for_each to the blocks it
 * stands for
 */
#ifndef TFPIPE_LANG_DYNAMIC_INT_H
#define TFPIPE_LANG_DYNAMIC_INT_H

#include "lang/spec/spec_int.h"

/* Expands one dynamic block. */
void dynamic_expand(const struct level *l, const struct block *b,
		    const struct body_schema *schema, struct item_vec *out);

#endif
