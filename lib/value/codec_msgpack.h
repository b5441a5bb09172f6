/* codec_msgpack.h - values to msgpack */
#ifndef TFPIPE_VALUE_CODEC_MSGPACK_H
#define TFPIPE_VALUE_CODEC_MSGPACK_H

#include "value/convert.h"

/* v as t, converted if need be; -1 when it does not convert.  Marks are
 * ignored. */
int value_to_msgpack(struct buf *out, const struct value *v,
		     const struct type *t);

/* codec_msgpack_read.c: values from msgpack */

/* The inverse; any bytes are safe. Bytes after the value are ignored. */
const struct value *value_from_msgpack(struct arena *a, struct str bytes,
				       const struct type *t,
				       struct verror *err);

#endif
