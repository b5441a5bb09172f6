/* codec_stream_read_int.h - values from the stream's encoding */
#ifndef TFPIPE_VALUE_CODEC_STREAM_READ_INT_H
#define TFPIPE_VALUE_CODEC_STREAM_READ_INT_H

#include "value/convert.h"

/* The unknown that an entry of a stream's list describes; NULL if it makes no
 * sense. */
const struct value *codec_read_unknown(struct arena *a,
				       const struct json *entry,
				       const struct type *t);

#endif
