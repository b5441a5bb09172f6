/* codec_stream_read.h - values from the stream's encoding */
#ifndef TFPIPE_VALUE_CODEC_STREAM_READ_H
#define TFPIPE_VALUE_CODEC_STREAM_READ_H

#include "value/convert.h"

/* NULL with *err when it makes no sense, also when a path leads nowhere. */
const struct value *value_from_stream(struct arena *a, const struct json *j,
				      struct verror *err);

#endif
