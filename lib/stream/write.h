/* write.h - writing a stream: header, stage, records, end (see stream.h) */
#ifndef TFPIPE_STREAM_WRITE_H
#define TFPIPE_STREAM_WRITE_H

#include "json/write.h"
#include "stream/stream.h"

enum stream_source stream_choose(struct str dir_option);
void stream_out_init(struct stream_out *o, int fd, bool show_sensitive);
/* In a pipe where nobody edits: the seal of the input does not count, and none
 * is written. */
void stream_without_seal(struct stream_out *o);
/* Writes `header` if needed, then `stage`. */
void stream_begin(struct stream_out *o, const char *tool,
		  const struct str_vec *options);
/* One record: between begin and end write members with the returned writer;
 * address may be STR_NONE. */
struct jw stream_record(struct stream_out *o, const char *kind,
			struct str address);
void stream_record_end(struct stream_out *o, struct jw *w);
/* Writes the seal of the stage, and `end`, and flushes. Returns 0, or -1 when
 * writing failed. */
int stream_end(struct stream_out *o, bool failed);
void stream_out_release(struct stream_out *o);

#endif
