/* codec_msgpack.h - values to msgpack */
#ifndef TFPIPE_VALUE_CODEC_MSGPACK_H
#define TFPIPE_VALUE_CODEC_MSGPACK_H

#include "value/convert.h"

/* v as t, converted if need be; -1 when it does not convert.  Marks are
 * ignored. */
int value_to_msgpack(struct buf *out, const struct value *v,
		     const struct type *t);

#endif
