/*
 * decode_int.h - a body into an object value, guided by a schema; see decode.h
 */
#ifndef TFPIPE_LANG_DECODE_INT_H
#define TFPIPE_LANG_DECODE_INT_H

#include "lang/spec/spec_int.h"

/* The body's attributes and blocks, dynamic ones expanded. */
void level_content(const struct level *l, const struct body_schema *schema,
		   struct content *out);
/* The body of a block of it. */
struct level level_inner(const struct level *l, const struct item *it,
			 const struct schema_block *schema);
const struct value *level_decode(const struct level *l);

#endif
