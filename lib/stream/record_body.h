/* record_body.h - bodies in records */
#ifndef TFPIPE_STREAM_RECORD_BODY_H
#define TFPIPE_STREAM_RECORD_BODY_H

#include "stream/record.h"

/* BODY; see tf-stream(5). */
void record_body(struct jw *w, const struct body *b);
/* j NULL: *out is NULL, which is no error. */
int record_body_read(struct record_reader *r, const struct json *j,
		     struct body **out);

#endif
