/* codec_json_read_int.h - values from JSON */
#ifndef TFPIPE_VALUE_CODEC_JSON_READ_INT_H
#define TFPIPE_VALUE_CODEC_JSON_READ_INT_H

#include "value/codec_int.h"

/* The value of type t that j writes.  o may be NULL. */
const struct value *codec_read(struct arena *a, const struct json *j,
			       const struct type *t, struct overlay *o,
			       struct verror *err);

#endif
