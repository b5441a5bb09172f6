/* codec_msgpack_read.h - values from msgpack */
#ifndef TFPIPE_VALUE_CODEC_MSGPACK_READ_H
#define TFPIPE_VALUE_CODEC_MSGPACK_READ_H

#include "value/convert.h"

/* The inverse; any bytes are safe. Bytes after the value are ignored. */
const struct value *value_from_msgpack(struct arena *a, struct str bytes,
				       const struct type *t,
				       struct verror *err);

#endif
