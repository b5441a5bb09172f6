/*
 * diff_schema.h - differences of what has a schema: nested attributes, blocks
 */
#ifndef TFPIPE_UI_DIFF_SCHEMA_H
#define TFPIPE_UI_DIFF_SCHEMA_H

#include "ui/diff/diff.h"

/* A resource, by its schema. */
const struct diff *diff_block(struct arena *a, const struct diff_input *in,
			      const struct schema_block *schema);

#endif
