/* read.h - reading a stream: framing, dispatch, passing on (see stream.h) */
#ifndef TFPIPE_STREAM_READ_H
#define TFPIPE_STREAM_READ_H

#include "stream/stream.h"

/* The last stage leaves a seal, unless it is told not to, and there is none:
 * what was edited cannot be known. */
bool stream_lost_seal(const struct stream_info *i);
bool stream_has_stage(const struct stream_info *i, const char *tool);
/* Reads a whole stream from fd.  Each line is handed to fn, and copied to
 * `pass` if that is not NULL (`end` excepted: the caller writes its own with
 * stream_end).  Framing mistakes (no header, no end, text after end, invalid
 * JSON, a line without "record") are diagnostics and -1. */
int stream_read(struct arena *a, int fd, struct stream_info *info,
		struct stream_out *pass, stream_record_fn *fn, void *data,
		struct diags *ds);
/* As stream_read; before each wait for more input idle(data) is called, so that
 * what was written in answer to the records so far can be flushed. */
int stream_read_live(struct arena *a, int fd, struct stream_copy *copy,
		     struct stream_info *info, stream_record_fn *fn,
		     void (*idle)(void *data), void *data, struct diags *ds);
/* Lists what was edited in the input since the previous stage wrote it; false:
 * that cannot be known.  Call it after a stream_read into o. */
bool stream_edits(struct arena *a, const struct stream_out *o,
		  const struct stream_info *i, struct seal_edit_vec *out);
const struct json *stream_parse(struct arena *a, struct str line,
				struct diags *ds);

#endif
